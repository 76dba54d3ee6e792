-- What each side of a project uses, by days in UTC, for 24 months. It belongs to the installation, so that it outlives the project;
-- there is nothing of members in it.
create table project_usage (
  side uuid not null,
  day date not null,
  -- Requests are added by the processes that answer them; all else is counted from rows.
  requests bigint not null default 0 check (requests >= 0),
  events bigint not null default 0,
  deliveries bigint not null default 0,
  mails bigint not null default 0,
  -- The most bytes of files at a time.
  storage_bytes bigint not null default 0,
  -- Members who were logged in at some time of the month, up to this day.
  active_members bigint not null default 0,
  primary key (side, day)
);
create index project_usage_by_day on project_usage (day);
grant select on project_usage to guildhall_operator;
grant select, delete on project_usage to guildhall_housekeeper;
grant select, insert, update (requests) on project_usage to guildhall_keys;

-- Up to which of its counts of requests a process has added them. A count that is sent again after a lost answer changes nothing.
create table request_counters (
  process uuid primary key,
  last_count bigint not null,
  counted_at timestamptz not null default now()
);
grant select, insert, update on request_counters to guildhall_keys;
grant select (process, counted_at), delete on request_counters to guildhall_housekeeper;

-- The lowest UUIDv7 of a moment.
create function app.first_uuid(moment timestamptz) returns uuid language sql immutable
return (lpad(to_hex((extract(epoch from moment) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid;

-- Counts what one side has used on a day, from its rows. It may be repeated while the rows are kept.
create function app.count_usage(counted uuid, of_day date) returns void
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp
as $$
declare
  starts constant timestamptz := of_day::timestamp at time zone 'UTC';
  ends constant timestamptz := (of_day + 1)::timestamp at time zone 'UTC';
  of_month constant timestamptz := date_trunc('month', of_day::timestamp) at time zone 'UTC';
begin
  perform set_config('app.project_id', counted::text, true);
  insert into public.project_usage as u (side, day, events, deliveries, mails, storage_bytes, active_members)
  select counted, of_day,
    (select count(*) from public.events e
      where e.project_id = counted and e.id >= app.first_uuid(starts) and e.id < app.first_uuid(ends)),
    (select coalesce(sum(s.delivered), 0) from public.webhook_stats s
      where s.project_id = counted and s.hour >= starts and s.hour < ends),
    (select count(*) from public.mails m
      where m.project_id = counted and m.id >= app.first_uuid(starts) and m.id < app.first_uuid(ends) and m.state = 'sent'),
    case when now() < ends then (select coalesce(sum(f.bytes), 0) from public.storage_usage f where f.project_id = counted) else 0 end,
    (select count(distinct s.member_id) from public.sessions s
      where s.project_id = counted and s.created_at < ends and s.last_seen_at >= of_month)
  on conflict on constraint project_usage_pkey do update set events = greatest(u.events, excluded.events),
    deliveries = greatest(u.deliveries, excluded.deliveries), mails = greatest(u.mails, excluded.mails),
    storage_bytes = greatest(u.storage_bytes, excluded.storage_bytes),
    active_members = greatest(u.active_members, excluded.active_members);
end $$;
revoke execute on function app.count_usage, app.first_uuid from public;
grant execute on function app.count_usage to guildhall_housekeeper;

-- Operators read the audit log of a project, a side at a time.
grant select on audit_log to guildhall_operator;
