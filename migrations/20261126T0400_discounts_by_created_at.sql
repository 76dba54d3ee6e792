-- Lists of discounts are sorted by the time of creation, and read from one time to another.
-- locks: none, the index is built beside the requests
-- runs: alone
create index concurrently if not exists discounts_by_created_at on discounts (project_id, created_at, id)
  where deleted_at is null;
