-- What happened, with the exact payload that receivers get: the log behind webhooks and GET /events.
create table events (
  project_id uuid not null,
  id uuid not null,
  type text not null,
  payload json not null,
  -- The time of the emit itself and not of the transaction's begin, so that of two events about one row the later one has the
  -- later time.
  occurred_at timestamptz not null default clock_timestamp(),
  -- The log is read in the order of commits: `tx` is the transaction that emitted, and those below the oldest one still
  -- running are complete.
  tx xid8 not null default pg_current_xact_id(),
  -- About whom an event is, so that the log of one member can be read.
  member_id uuid,
  primary key (project_id, id)
);
create index events_by_occurred_at on events using brin (occurred_at);
create index events_by_tx on events (project_id, tx, id);
create index events_of_member on events (project_id, member_id, id) where member_id is not null;
call app.tenant_table('events');
revoke update, delete on events from guildhall_api;
create policy relay on events for select to guildhall_relay using (true);
grant select on events to guildhall_relay;
-- What is past its time, by the policy itself: a mistake in a query cannot delete more.
create policy expired on events to guildhall_housekeeper using (occurred_at < now() - interval '30 days');
grant select, delete on events to guildhall_housekeeper;

-- The log of events is only ever added to, but for this: of what is told of members who are to be forgotten, ids stay. What
-- is still to be delivered is delivered so.
create function app.erase_events(forgotten uuid[]) returns void
  language sql security definer
  set search_path = pg_catalog, public, pg_temp
as $$
  update public.events
    set payload = json_strip_nulls(json_build_object('id', payload -> 'id', 'member_id', payload -> 'member_id'))
    where project_id = (select app.current_project()) and member_id = any (forgotten) and type <> 'member.deleted'
$$;
revoke execute on function app.erase_events(uuid[]) from public;
grant execute on function app.erase_events(uuid[]) to guildhall_api;

-- What is still to be done. A row is written in the transaction that causes the effect and taken out by the relay: an event to be fanned
-- out, a job to be run, or a wake for an area's own work that a request made due.
create table outbox (
  project_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('event', 'job', 'wake')),
  -- An event's type, a job's name, or the drain of a wake, whose key is the payload. An event's payload stays in its row.
  name text not null,
  payload json,
  run_at timestamptz not null default now(),
  -- The time of the emit itself, as of events: in fifo mode deliveries are sent in the order of these times.
  created_at timestamptz not null default clock_timestamp(),
  -- W3C trace context of the request.
  traceparent text,
  -- Of a job or a wake: the lane that it runs in.
  lane text,
  -- A row that cannot be relayed is set aside until this time, so that it holds up nobody else's.
  retry_at timestamptz,
  primary key (project_id, id),
  constraint outbox_lane check ((kind = 'event') = (lane is null))
) with (fillfactor = 100,
  -- Every row is deleted within a moment, so what a scan has to step over is cleared away often and without pauses.
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000);
-- Oldest first, whoever's: ids are ordered by time.
create index outbox_by_id on outbox (id);
call app.tenant_table('outbox');
revoke select, update, delete on outbox from guildhall_api;
create policy relay on outbox to guildhall_relay using (true);
-- Locking rows for a delete takes the right to update a column of them: retry_at.
grant select, delete, update (retry_at) on outbox to guildhall_relay;
-- Operators see what waits, in all projects; what it is about stays with the project.
create policy operators on outbox for select to guildhall_operator using (true);
grant select (id, created_at, retry_at) on outbox to guildhall_operator;
