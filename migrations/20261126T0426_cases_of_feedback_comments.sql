-- runs: alone
create index concurrently if not exists moderation_cases_of_feedback_comment on moderation_cases (project_id, feedback_comment_id)
  where feedback_comment_id is not null;
