-- Page views and custom events of projects' sites, what reports are rolled up to, and what makes visitors out of requests.
--
-- Roll-ups grow with their day. Events carry the generation that they were stored in; a roll-up ends a generation, counts
-- what came up to it, and says so. What came since is found by its generation, and of the visitors that it is of, what
-- was counted before is taken away and counted anew. So a report of today costs as much as what came in the last minute.

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
  -- See analytics_generations.
  generation bigint not null default 0,
  primary key (project_id, at, id)
) partition by range (at);
create index analytics_events_by_name on analytics_events (project_id, name, at) where name is not null;
create index analytics_events_of_member on analytics_events (project_id, member_id, at) where member_id is not null;
-- Events of one commit share a generation and come one after the other: both indexes are small, and are added to where
-- they were added to last. A visitor begins with its day.
create index analytics_events_by_generation on analytics_events (project_id, generation);
create index analytics_events_by_visitor on analytics_events (project_id, visitor);
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

-- The generation that a project's events are stored in. Whoever stores events holds the project's advisory lock shared
-- (app.touch_analytics_days); a roll-up ends the generation while it holds the lock alone, so that nobody who has not
-- committed yet still adds to a generation that is over.
create table analytics_generations (
  project_id uuid not null,
  -- The project's own: there is one row of each.
  id uuid not null default app.current_project(),
  generation bigint not null,
  primary key (project_id, id)
) with (fillfactor = 50);
call app.tenant_table('analytics_generations');

-- The days that have events, and how far they are rolled up. A day is rolled up under `timezone` and `goals` (null: not at all)
-- with all events up to `rolled_generation`; events have come up to `changed_generation`. Whoever adds or takes away events says
-- so here in the same transaction (app.touch_analytics_days, app.outdate_analytics_days).
create table analytics_days (
  project_id uuid not null,
  day date not null,
  -- When it may be rolled up; null while there is nothing to do.
  due_at timestamptz,
  -- Of the roll-up under way. An event that comes meanwhile takes it away, and then nothing is recorded.
  token uuid,
  lease_until timestamptz,
  -- What it was rolled up under: the zone that its hours are of, and the goals.
  timezone text,
  goals text,
  rolled_at timestamptz,
  rolled_generation bigint not null default 0,
  changed_generation bigint not null default 0,
  -- How long after an event its day is rolled up.
  pace interval not null default '1 minute',
  primary key (project_id, day),
  constraint analytics_days_leased check ((token is null) = (lease_until is null))
) with (fillfactor = 70);
create index analytics_days_by_due_at on analytics_days (due_at) where due_at is not null;
call app.tenant_table('analytics_days');
create policy relay on analytics_days for select to guildhall_relay using (true);
grant select (project_id, due_at, lease_until) on analytics_days to guildhall_relay;

-- Says that days are about to get events, before they do. The last transaction of a generation ends before the roll-up of
-- it begins.
-- @param due when each day may be rolled up at the earliest
create function app.touch_analytics_days(days date[], due timestamptz[]) returns void
  language plpgsql
as $$
declare
  present bigint;
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('analytics ' || app.current_project(), 0));
  -- Statements of their own, so that they see what was recorded before the lock was had.
  select generation into present from public.analytics_generations;
  if present is null then
    insert into public.analytics_generations (generation) values (1) on conflict (project_id, id) do nothing;
    present := 1;
  end if;
  -- A day that has changed in this generation already costs no lock of its row. Of one that had not changed since it was
  -- rolled up, everything before this generation is counted.
  update public.analytics_days as d
    set rolled_generation = case when d.changed_generation <= d.rolled_generation then present - 1 else d.rolled_generation end,
      changed_generation = present,
      due_at = coalesce(d.due_at, t.due_at + d.pace)
    from (
      select u.day, min(u.due_at) as due_at from unnest(days, due) as u (day, due_at) group by u.day
    ) as t
    where d.day = t.day and d.changed_generation < present;
  insert into public.analytics_days (day, due_at, changed_generation)
    select t.day, min(t.due_at) + interval '1 minute', present
    from unnest(days, due) as t (day, due_at) group by t.day order by t.day
    on conflict (project_id, day) do nothing;
end $$;

-- Says that days are about to lose events: what was counted of them, or is being counted, does not hold any more.
create function app.outdate_analytics_days(days date[]) returns void
  language sql
  begin atomic
    update public.analytics_days
      set timezone = null, goals = null, token = null, lease_until = null, due_at = now()
      where day = any (days);
  end;

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

-- The path of a page as it is kept: decoded, in NFC and without a slash at the end. Old events that are stored in another form
-- are read in this one: changing them would write most rows of a large table again.
create function app.page_path(address text) returns text language sql immutable strict parallel safe as $$
  select regexp_replace(regexp_replace(normalize(string_agg(case
      when part[1] = '%' then '%25'
      when part[1] !~ '^%' then part[1]
      when part[1] ~* '^%([01][0-9a-f]|7f|23|25|2f|3f|5c|[89a-f][0-9a-f])$' then upper(part[1])
      else convert_from(decode(replace(part[1], '%', ''), 'hex'), 'UTF8')
    end, '' order by place), nfc), '/{2,}', '/', 'g'), '^(.*/.*)/$', '\1')
  from regexp_matches(address, '(%[0-7][0-9a-f]|%(?:c[2-9a-f]|d[0-9a-f])%[89ab][0-9a-f]|%(?:e0%[ab][0-9a-f]|e[1-9a-cef]%[89ab][0-9a-f]|ed%[89][0-9a-f])%[89ab][0-9a-f]|%(?:f0%[9ab][0-9a-f]|f[1-3]%[89ab][0-9a-f]|f4%8[0-9a-f])%[89ab][0-9a-f]%[89ab][0-9a-f]|%[0-9a-f]{2}|%|[^%]+)', 'gi')
    with ordinality as found (part, place)
$$;
