-- Lists of products are sorted by their prices.
-- locks: none, the index is built beside the requests
-- runs: alone
create index concurrently if not exists products_by_price on products (project_id, is_active, price_minor, id)
  where deleted_at is null;
