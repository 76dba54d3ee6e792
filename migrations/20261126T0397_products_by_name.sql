-- Lists of products are sorted by their names.
-- locks: none, the index is built beside the requests
-- runs: alone
create index concurrently if not exists products_by_name on products (project_id, is_active, name, id)
  where deleted_at is null;
