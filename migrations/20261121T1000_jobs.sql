-- From the outbox to work being done. Three roles beside the door:
-- - relay moves outbox rows of all projects to where the work is, and finds what is due
-- - queue is BullMQ's own, for its schema in this database (where there is no Redis)
-- - housekeeper can see and delete what is past its time, and nothing else
do $$
declare
  wanted text;
begin
  foreach wanted in array array['guildhall_relay', 'guildhall_queue', 'guildhall_housekeeper'] loop
    begin
      execute format('create role %I nologin', wanted);
    exception when duplicate_object or unique_violation then
      null; -- another database of this cluster made it
    end;
  end loop;
end $$;
grant usage on schema app, public to guildhall_relay, guildhall_housekeeper;

-- Background work of a project. This is the truth about it; a queue only wakes workers. Rows are put in by the relay
-- with the id that their outbox row had, so that relaying one twice makes one job.
create table jobs (
  project_id uuid not null,
  id uuid not null,
  name text not null,
  lane text not null,
  payload json not null,
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed')),
  -- When somebody has to look at it: for a queued job the time it may run, for a running one the end of its lease.
  due_at timestamptz,
  -- Runs begun so far.
  attempts integer not null default 0,
  -- Made anew with each claim, and asked for by whoever records a result: a worker that lost its lease records nothing.
  lease_token uuid,
  last_error text,
  -- W3C trace context of the request that asked for it.
  traceparent text,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (project_id, id),
  constraint jobs_due check ((state in ('queued', 'running')) = (due_at is not null)),
  constraint jobs_leased check ((state = 'running') = (lease_token is not null)),
  constraint jobs_finished check ((state in ('done', 'failed')) = (finished_at is not null))
);
create index jobs_by_due_at on jobs (lane, due_at) where due_at is not null;
create index jobs_by_finished_at on jobs (finished_at) where finished_at is not null;
call app.tenant_table('jobs');
revoke insert, delete on jobs from guildhall_api;

create policy relay on jobs to guildhall_relay using (true) with check (true);
grant select, insert on jobs to guildhall_relay;

alter table outbox add column traceparent text;
-- Of a job: the lane it runs in.
alter table outbox add column lane text;
alter table outbox add constraint outbox_lane check ((kind = 'job') = (lane is not null));
-- Oldest first, whoever's: ids are ordered by time.
create index outbox_by_id on outbox (id);
-- Every row is deleted within a moment, so what a scan has to step over is cleared away often and without pauses.
alter table outbox set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_cost_delay = 0, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000);

create policy relay on outbox to guildhall_relay using (true);
-- Locking rows for a delete takes the right to update a column of them.
grant select, delete, update (id) on outbox to guildhall_relay;
create policy relay on events for select to guildhall_relay using (true);
grant select on events to guildhall_relay;

-- What is past its time, by the policies themselves: a mistake in a query cannot delete more.
create index events_by_occurred_at on events using brin (occurred_at);
create policy expired on events to guildhall_housekeeper using (occurred_at < now() - interval '30 days');
grant select, delete on events to guildhall_housekeeper;
create policy expired on jobs to guildhall_housekeeper using (finished_at < now() - interval '7 days');
grant select, delete on jobs to guildhall_housekeeper;
-- Whom there is to look after.
create policy housekeeping on projects for select to guildhall_housekeeper using (true);
grant select (id, created_at) on projects to guildhall_housekeeper;
