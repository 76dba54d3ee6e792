-- runs: alone
create index concurrently if not exists moderation_cases_of_feedback on moderation_cases (project_id, feedback_id) where feedback_id is not null;
