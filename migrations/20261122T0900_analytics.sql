-- Page views and custom events of projects' sites, what reports are rolled up to, and what makes visitors out of requests.

-- A project's day is its zone's day.
alter table projects
  add column timezone text not null default 'UTC' check (char_length(timezone) between 1 and 64),
  add column analytics_retention_months integer not null default 24
    check (analytics_retention_months between 1 and 120),
  add column respect_do_not_track boolean not null default false;
grant select (id, created_at, analytics_retention_months) on projects to guildhall_housekeeper;

-- An event that happened at `at`. Without a name it is a page view. By month: a month that is too old for every project is
-- dropped as a whole.
create table analytics_events (
  project_id uuid not null,
  id uuid not null,
  at timestamptz not null,
  received_at timestamptz not null,
  name text,
  -- A hash of address, user agent, day and a salt that is destroyed: see analytics_salts.
  visitor bigint not null,
  bot boolean not null,
  member_id uuid,
  session_id text,
  host text,
  path text,
  title text,
  -- Without its query, and null where it is the site itself.
  referrer text,
  source text not null,
  channel text not null,
  utm_source text,
  utm_medium text,
  utm_campaign text,
  utm_term text,
  utm_content text,
  country text,
  device text,
  browser text,
  os text,
  screen text,
  properties jsonb,
  primary key (project_id, at, id)
) partition by range (at);
create index analytics_events_by_name on analytics_events (project_id, name, at) where name is not null;
create index analytics_events_of_member on analytics_events (project_id, member_id, at) where member_id is not null;
call app.tenant_table('analytics_events');
-- For what has no month of its own.
create table analytics_events_other partition of analytics_events default;

-- Makes the months to come and drops those that are older than the longest retention. A month for which rows came before
-- it was made stays without a part of its own. Waits for nobody longer than a moment; the next call makes up for it.
create function app.keep_analytics_months(longest_retention integer, today date default (now() at time zone 'UTC')::date)
  returns void
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
  set lock_timeout = '2s'
as $$
declare
  month date;
  part record;
begin
  for month in
    select generate_series(date_trunc('month', today - interval '3 months'),
      date_trunc('month', today + interval '3 months'), interval '1 month')::date
  loop
    if to_regclass(format('public.analytics_events_%s', to_char(month, 'YYYYMM'))) is null then
      begin
        -- Rows are added and hardly ever changed: what a scan needs is a fresh visibility map and fresh statistics.
        execute format('create table public.analytics_events_%s partition of public.analytics_events
          for values from (%L) to (%L) with (autovacuum_vacuum_insert_scale_factor = 0.05,
            autovacuum_vacuum_insert_threshold = 50000, autovacuum_analyze_scale_factor = 0.05,
            autovacuum_vacuum_cost_delay = 1)', to_char(month, 'YYYYMM'),
          month::timestamp at time zone 'UTC', (month + interval '1 month')::timestamp at time zone 'UTC');
      exception when check_violation then
        null;
      end;
    end if;
  end loop;
  if longest_retention is null then
    return;
  end if;
  for part in
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'public.analytics_events'::regclass and c.relname ~ '^analytics_events_[0-9]{6}$'
      -- A zone's month can begin a day before that of UTC.
      and to_date(right(c.relname, 6), 'YYYYMM') + interval '1 month 1 day' < today - make_interval(months => longest_retention)
  loop
    execute format('drop table public.%I', part.name);
  end loop;
end $$;
revoke execute on function app.keep_analytics_months(integer, date) from public;
grant execute on function app.keep_analytics_months(integer, date) to guildhall_housekeeper;
select app.keep_analytics_months(null);

-- Ids that events brought along, each known for 8 days so that a repeated one is stored once.
create table analytics_event_ids (
  project_id uuid not null,
  -- The first half of the id's SHA-256.
  id uuid not null,
  received_at timestamptz not null,
  primary key (project_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 1);
create index analytics_event_ids_by_age on analytics_event_ids using brin (received_at);
call app.tenant_table('analytics_event_ids');
create policy expired on analytics_event_ids to guildhall_housekeeper using (received_at < now() - interval '8 days');
grant select, delete on analytics_event_ids to guildhall_housekeeper;

-- What makes visitors of a day: without its salt nobody can say whose hash a visitor is. Sealed with SECRET_KEY, so that
-- a backup of the database alone says nothing either.
create table analytics_salts (
  project_id uuid not null,
  day date not null,
  sealed bytea not null,
  expires_at timestamptz not null,
  primary key (project_id, day)
) with (autovacuum_vacuum_threshold = 20, autovacuum_vacuum_scale_factor = 0);
call app.tenant_table('analytics_salts');
create policy expired on analytics_salts to guildhall_housekeeper using (expires_at < now());
grant select, delete on analytics_salts to guildhall_housekeeper;

-- What is reached for: an event by its name, or page views by a pattern of their path.
create table analytics_goals (
  project_id uuid not null,
  id uuid not null,
  name text not null,
  event text,
  page text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (project_id, id),
  constraint analytics_goals_target check ((event is null) <> (page is null))
);
call app.tenant_table('analytics_goals');

-- The days that have events, and how far they are rolled up. Whoever adds or takes away events of a day holds its advisory
-- lock (app.touch_analytics_days) and says so here in the same transaction, so that `clean` means: the roll-ups are all.
create table analytics_days (
  project_id uuid not null,
  day date not null,
  state text not null default 'dirty' check (state in ('dirty', 'clean')),
  -- When it may be rolled up; null while it is clean.
  due_at timestamptz,
  -- Of the roll-up under way. An event that comes meanwhile takes it away, and then nothing is recorded.
  token uuid,
  lease_until timestamptz,
  -- What it was rolled up under: the zone that its hours are of, and the goals.
  timezone text,
  goals text,
  rolled_at timestamptz,
  primary key (project_id, day),
  constraint analytics_days_due check ((state = 'dirty') = (due_at is not null)),
  constraint analytics_days_leased check ((token is null) = (lease_until is null))
) with (fillfactor = 70);
create index analytics_days_by_due_at on analytics_days (due_at) where due_at is not null;
call app.tenant_table('analytics_days');
create policy relay on analytics_days for select to guildhall_relay using (true);
grant select (project_id, due_at, lease_until) on analytics_days to guildhall_relay;

-- Says that days are about to get or lose events, before they do. A roll-up of such a day waits for the end of this transaction before
-- it begins, and does not count if it has begun.
create function app.touch_analytics_days(days date[], due timestamptz[]) returns void
  language plpgsql
as $$
declare
  i integer;
begin
  for i in select n from generate_subscripts(days, 1) n order by days[n] loop
    perform pg_advisory_xact_lock_shared(
      hashtextextended('analytics ' || app.current_project() || ' ' || days[i], 0));
  end loop;
  -- Statements of their own, so that they see what was recorded before the locks were had. A day that is marked already
  -- costs no lock of its row.
  update public.analytics_days
    set state = 'dirty', due_at = (select min(t.due_at) from unnest(days, due) as t (day, due_at) where t.day = analytics_days.day),
      token = null, lease_until = null
    where day = any (days) and (state = 'clean' or token is not null);
  insert into public.analytics_days (day, due_at)
    select t.day, min(t.due_at) from unnest(days, due) as t (day, due_at) group by t.day order by t.day
    on conflict (project_id, day) do nothing;
end $$;

-- A day and hour of a project in numbers. A visit counts wherever it has an event; bounces, durations and views are those of
-- the visits that count.
create table analytics_hours (
  project_id uuid not null,
  day date not null,
  starts_at timestamptz not null,
  visitors integer not null,
  visits integer not null,
  pageviews integer not null,
  events integer not null,
  bounces integer not null,
  duration_ms bigint not null,
  visit_views integer not null,
  conversions integer not null,
  converted integer not null,
  primary key (project_id, day, starts_at)
);
call app.tenant_table('analytics_hours');

-- The same of a day by the values of a dimension; both are empty for the day itself.
create table analytics_values (
  project_id uuid not null,
  day date not null,
  dimension text not null,
  value text not null,
  visitors integer not null,
  visits integer not null,
  pageviews integer not null,
  events integer not null,
  bounces integer not null,
  duration_ms bigint not null,
  visit_views integer not null,
  conversions integer not null,
  converted integer not null,
  primary key (project_id, dimension, day, value)
);
call app.tenant_table('analytics_values');

-- Which members were seen on a day, by the values of a dimension.
create table analytics_members (
  project_id uuid not null,
  day date not null,
  dimension text not null,
  value text not null,
  member_id uuid not null,
  primary key (project_id, dimension, day, value, member_id)
);
create index analytics_members_of_member on analytics_members (project_id, member_id, day);
call app.tenant_table('analytics_members');
