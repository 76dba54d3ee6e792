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
create index jobs_by_finished_at on jobs (finished_at) where finished_at is not null;
-- Due work is looked for, and claimed, by lane and project: one wake covers all that is due of the pair.
create index jobs_by_due_at on jobs (lane, project_id, due_at) where due_at is not null;
call app.tenant_table('jobs');
revoke insert, delete on jobs from guildhall_api;
create policy relay on jobs to guildhall_relay using (true) with check (true);
grant select, insert on jobs to guildhall_relay;
create policy expired on jobs to guildhall_housekeeper using (finished_at < now() - interval '7 days');
grant select, delete on jobs to guildhall_housekeeper;
-- Operators see what waits, runs and failed, in all projects; what it is about stays with the project.
create policy operators on jobs for select to guildhall_operator using (true);
grant select (project_id, id, name, lane, state, due_at, attempts, last_error, created_at, finished_at)
  on jobs to guildhall_operator;
