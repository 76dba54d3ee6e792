-- Lists of orders are sorted by the time of creation, and read from one time to another.
-- locks: none, the index is built beside the requests
-- runs: alone
create index concurrently if not exists orders_by_created_at on orders (project_id, created_at, id);
