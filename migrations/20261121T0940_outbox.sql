-- What happened, with the exact payload that receivers get: the log behind webhooks and GET /events.
create table events (
  project_id uuid not null,
  id uuid not null,
  type text not null,
  payload json not null,
  occurred_at timestamptz not null default now(),
  primary key (project_id, id)
);
call app.tenant_table('events');
revoke update, delete on events from guildhall_api;

-- What is still to be done about it. A row is written in the transaction that causes the effect and taken out by the
-- relay: an event to be fanned out, or a job to be run.
create table outbox (
  project_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('event', 'job')),
  -- An event's type or a job's name; an event's payload stays in its row.
  name text not null,
  payload json,
  run_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  primary key (project_id, id)
) with (fillfactor = 100);
call app.tenant_table('outbox');
revoke select, update, delete on outbox from guildhall_api;
