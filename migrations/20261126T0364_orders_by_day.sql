-- runs: alone
-- locks: none, the index is built beside the requests
create index concurrently order_history_paid on order_history (project_id, created_at) where to_status = 'paid';
