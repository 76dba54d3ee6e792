-- Lists of feedback are sorted by the time of creation, and read from one time to another.
-- locks: none, the index is built beside the requests
-- runs: alone
create index concurrently if not exists feedback_by_created_at on feedback (project_id, created_at, id)
  where merged_into is null;
