-- Lists of products are sorted by the time of creation.
-- locks: none, the index is built beside the requests
-- runs: alone
create index concurrently if not exists products_by_created_at on products (project_id, is_active, created_at, id)
  where deleted_at is null;
