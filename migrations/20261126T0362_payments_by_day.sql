-- runs: alone
-- locks: none, the index is built beside the requests
create index concurrently payments_settled on payments (project_id, settled_at) include (currency, amount_minor)
  where status = 'succeeded';
