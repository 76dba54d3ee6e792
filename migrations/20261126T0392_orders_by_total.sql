-- Lists of orders are sorted by their totals.
-- locks: none, the index is built beside the requests
-- runs: alone
create index concurrently if not exists orders_by_total on orders (project_id, total_minor, id);
