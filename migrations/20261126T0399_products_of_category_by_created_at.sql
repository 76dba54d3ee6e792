-- Lists of products are sorted by the time of creation, within a category.
-- locks: none, the index is built beside the requests
-- runs: alone
create index concurrently if not exists products_of_category_by_created_at on products (project_id, category, is_active, created_at, id)
  where deleted_at is null;
