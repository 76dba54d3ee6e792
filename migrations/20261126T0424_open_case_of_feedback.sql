-- runs: alone
create unique index concurrently if not exists moderation_cases_open_of_feedback on moderation_cases (project_id, feedback_id, feedback_comment_id)
  nulls not distinct where decision is null and feedback_id is not null;
