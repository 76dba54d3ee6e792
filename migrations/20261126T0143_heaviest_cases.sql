-- The queue of moderators shows what reports weigh most first.
-- runs: alone
create index concurrently if not exists moderation_cases_by_weight on moderation_cases (project_id, weight, id)
  where decision is null;
