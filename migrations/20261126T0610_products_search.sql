-- Products are searched by a part of their names.
-- locks: none, the index is built beside the requests
-- runs: alone
create index concurrently if not exists products_search on products using gin (lower(name) gin_trgm_ops)
  where deleted_at is null;
