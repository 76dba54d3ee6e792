-- runs: alone
-- locks: none, the index is built beside the requests
create index concurrently refunds_settled on refunds (project_id, settled_at) include (payment_id, amount_minor)
  where status = 'succeeded';
