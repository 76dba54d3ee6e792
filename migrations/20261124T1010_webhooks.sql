-- Events leave for customers' endpoints. The role `webhooks` sends: it reads endpoints and events of all projects, and
-- writes down what became of their deliveries.

-- Where a project's events are sent, in which form, and how the endpoint has done.
create table webhook_endpoints (
  project_id uuid not null references projects (id) on delete cascade,
  id uuid not null,
  url text not null check (char_length(url) <= 2048),
  description text not null default '',
  -- Names, `noun.*` or `*`.
  events text[] not null,
  payload text not null default 'full' check (payload in ('full', 'thin')),
  fifo boolean not null default false,
  -- Sends per second.
  rate_limit integer check (rate_limit between 1 and 1000),
  -- What is sealed opens with SECRET_KEY only. Of headers the names are no secret, the values may be.
  header_names text[] not null default '{}',
  headers bytea,
  signing text not null default 'hmac' check (signing in ('hmac', 'ed25519')),
  secret bytea not null,
  -- Signs too while a rotation overlaps.
  previous_secret bytea,
  previous_secret_until timestamptz,
  enabled boolean not null default true,
  disabled_at timestamptz,
  disabled_reason text check (disabled_reason in ('requested', 'gone', 'failing')),
  -- Since when no attempt has succeeded, and at how many hundredths of the time allowed for that it was last announced.
  failing_since timestamptz,
  failing_announced smallint not null default 0,
  -- Where its deliveries run; endpoints that answer slowly have a lane of their own.
  lane text not null default 'webhooks' check (lane in ('webhooks', 'slow')),
  -- In fifo mode the delivery at the head waits for its next try, and all others behind it.
  blocked_until timestamptz,
  -- What is left of rate_limit, at which time.
  tokens double precision not null default 1,
  tokens_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (project_id, id),
  constraint webhook_endpoints_disabled check (enabled = (disabled_at is null)),
  constraint webhook_endpoints_disabled_reason check (enabled = (disabled_reason is null)),
  constraint webhook_endpoints_previous check ((previous_secret is null) = (previous_secret_until is null))
) with (fillfactor = 70);
call app.tenant_table('webhook_endpoints');
call app.limited_table('webhook_endpoints', 200, 'webhook endpoints');

-- One event on its way to one endpoint. It refers to both by id alone: a foreign key would lock the endpoint's row for
-- every event, and deleting an endpoint would have to wait for the deletion of a million of these. What refers to
-- nothing is seen by nobody, and goes with its age.
create table webhook_deliveries (
  project_id uuid not null,
  id uuid not null default app.uuid_v7(),
  endpoint_id uuid not null,
  event_id uuid not null,
  event_type text not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
  -- When it may be sent next. A first attempt has the event's own time, so that this is the order of the events too.
  due_at timestamptz,
  -- Waits behind those that do not: a retry.
  is_retry boolean not null default false,
  -- How far it has come in the schedule of retries, and how often it was sent in all.
  step smallint not null default 0,
  attempts integer not null default 0,
  -- Held by a worker: whoever records a result names the token.
  lease_token uuid,
  lease_until timestamptz,
  -- What came of the last attempt.
  last_status smallint,
  last_error text,
  -- W3C trace context of the request that emitted the event.
  traceparent text,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (project_id, id),
  -- In the order of events, as deliveries are listed.
  constraint webhook_deliveries_event_key unique (project_id, endpoint_id, event_id),
  constraint webhook_deliveries_due check ((state = 'pending') = (due_at is not null)),
  constraint webhook_deliveries_finished check ((state = 'pending') = (finished_at is null)),
  constraint webhook_deliveries_leased check ((lease_token is null) = (lease_until is null))
) with (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 20000,
  autovacuum_vacuum_cost_delay = 0, autovacuum_vacuum_insert_scale_factor = 0.05);
create index webhook_deliveries_by_due_at on webhook_deliveries (project_id, endpoint_id, is_retry, due_at)
  where due_at is not null;
create index webhook_deliveries_leased on webhook_deliveries (project_id, endpoint_id)
  where lease_token is not null;
create index webhook_deliveries_failed on webhook_deliveries (project_id, endpoint_id, event_id)
  where state = 'failed';
create index webhook_deliveries_by_created_at on webhook_deliveries using brin (created_at);
call app.tenant_table('webhook_deliveries');

-- What an endpoint answered, by day: a day that is too old is dropped as a whole.
create table webhook_attempts (
  project_id uuid not null,
  delivery_id uuid not null,
  number integer not null,
  started_at timestamptz not null,
  duration_ms integer not null,
  -- Null where no answer came.
  status smallint,
  -- Why it failed, where the status does not say it: one of safe-fetch's codes.
  error text,
  response_headers json,
  response_body text,
  primary key (project_id, delivery_id, number, started_at)
) partition by range (started_at);
call app.tenant_table('webhook_attempts');

-- For what has no day of its own, because housekeeping was late.
create table webhook_attempts_other partition of webhook_attempts default;

-- Attempts and their outcomes by endpoint and hour, so that no statistic is a scan.
create table webhook_stats (
  project_id uuid not null,
  endpoint_id uuid not null,
  hour timestamptz not null,
  delivered integer not null default 0,
  -- Attempts that did not succeed, and deliveries that were given up.
  failed_attempts integer not null default 0,
  failed_deliveries integer not null default 0,
  duration_ms bigint not null default 0,
  -- Attempts by duration; the bounds are in stats.ts.
  durations integer[] not null,
  primary key (project_id, endpoint_id, hour)
) with (fillfactor = 70);
call app.tenant_table('webhook_stats');

-- Makes the days of the week to come and drops those that are older than 30. A day for which rows came too early
-- stays without a part of its own. Waits for nobody longer than a moment; the next call makes up for it.
create function app.keep_webhook_days() returns void
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
  set lock_timeout = '2s'
as $$
declare
  today date := (now() at time zone 'UTC')::date;
  day date;
  part record;
begin
  for day in select generate_series(today - 1, today + 7, interval '1 day')::date loop
    if to_regclass(format('webhook_attempts_%s', to_char(day, 'YYYYMMDD'))) is null then
      begin
        execute format('create table public.webhook_attempts_%s partition of public.webhook_attempts
          for values from (%L) to (%L)', to_char(day, 'YYYYMMDD'),
          day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
      exception when check_violation then
        null;
      end;
    end if;
  end loop;
  for part in
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'public.webhook_attempts'::regclass and c.relname ~ '^webhook_attempts_[0-9]{8}$'
      and to_date(right(c.relname, 8), 'YYYYMMDD') < today - 30
  loop
    execute format('drop table public.%I', part.name);
  end loop;
  delete from public.webhook_attempts_other where started_at < now() - interval '30 days';
end $$;
revoke execute on function app.keep_webhook_days() from public;
grant execute on function app.keep_webhook_days() to guildhall_housekeeper;
select app.keep_webhook_days();

-- The relay makes deliveries and finds those that are due.
create policy relay on webhook_endpoints for select to guildhall_relay using (true);
grant select on webhook_endpoints to guildhall_relay;
create policy relay_reads on webhook_deliveries for select to guildhall_relay using (true);
create policy relay_adds on webhook_deliveries for insert to guildhall_relay with check (true);
grant select, insert on webhook_deliveries to guildhall_relay;

create policy webhooks on webhook_endpoints to guildhall_webhooks using (true) with check (true);
grant select, update (failing_since, failing_announced, lane, blocked_until, tokens, tokens_at) on webhook_endpoints
  to guildhall_webhooks;
create policy webhooks on webhook_deliveries to guildhall_webhooks using (true) with check (true);
grant select,
  update (state, due_at, is_retry, step, attempts, lease_token, lease_until, last_status, last_error, finished_at)
  on webhook_deliveries to guildhall_webhooks;
create policy webhooks on webhook_attempts for insert to guildhall_webhooks with check (true);
grant insert on webhook_attempts to guildhall_webhooks;
create policy webhooks on webhook_stats to guildhall_webhooks using (true) with check (true);
grant select, insert, update on webhook_stats to guildhall_webhooks;
create policy webhooks on events for select to guildhall_webhooks using (true);
grant select on events to guildhall_webhooks;
-- In fifo mode nothing is sent while an older event is still to be relayed, unless that was set aside (retry_at).
create policy webhooks on outbox for select to guildhall_webhooks using (true);
grant select (project_id, id, kind, created_at, retry_at) on outbox to guildhall_webhooks;

create policy expired on webhook_deliveries to guildhall_housekeeper using (created_at < now() - interval '30 days');
grant select, delete on webhook_deliveries to guildhall_housekeeper;
create policy expired on webhook_stats to guildhall_housekeeper using (hour < now() - interval '30 days');
grant select, delete on webhook_stats to guildhall_housekeeper;
