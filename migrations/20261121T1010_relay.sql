-- Due work is looked for, and claimed, by lane and project: one wake covers all that is due of the pair.
drop index jobs_by_due_at;
create index jobs_by_due_at on jobs (lane, project_id, due_at) where due_at is not null;

-- A row that cannot be relayed is set aside until this time, so that it holds up nobody else's.
alter table outbox add column retry_at timestamptz;
-- Locking rows for a delete takes the right to update a column of them: this one.
revoke update (id) on outbox from guildhall_relay;
grant update (retry_at) on outbox to guildhall_relay;
