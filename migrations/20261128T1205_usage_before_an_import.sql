-- locks: nothing that is there

-- What happened before a project was imported was counted where it came from: the days before have no usage here, not even members who were
-- active afterwards.
create or replace function app.count_usage(counted uuid, of_day date) returns void
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp
as $$
declare
  starts timestamptz := of_day::timestamp at time zone 'UTC';
  ends constant timestamptz := (of_day + 1)::timestamp at time zone 'UTC';
  of_month timestamptz := date_trunc('month', of_day::timestamp) at time zone 'UTC';
  imported timestamptz;
begin
  perform set_config('app.project_id', counted::text, true);
  select max(a.created_at) into imported from public.project_acts a
    where a.live_id = (select p.live_id from public.projects p where p.id = counted) and a.action = 'project.import';
  -- Without an import it is null, which is never the greatest.
  starts := greatest(starts, imported);
  of_month := greatest(of_month, imported);
  if starts >= ends then
    return;
  end if;
  insert into public.project_usage as u (side, day, events, deliveries, mails, storage_bytes, active_members)
  select counted, of_day,
    (select count(*) from public.events e
      where e.project_id = counted and e.id >= app.first_uuid(starts) and e.id < app.first_uuid(ends)),
    (select coalesce(sum(s.delivered), 0) from public.webhook_stats s
      where s.project_id = counted and s.hour >= starts and s.hour < ends),
    (select count(*) from public.mails m
      where m.project_id = counted and m.id >= app.first_uuid(starts) and m.id < app.first_uuid(ends) and m.state = 'sent'),
    case when now() < ends
      then (select coalesce(sum(f.bytes), 0) from public.storage_usage f where f.project_id = counted) else 0 end,
    (select count(distinct s.member_id) from public.sessions s
      where s.project_id = counted and s.created_at < ends and s.last_seen_at >= of_month)
  on conflict on constraint project_usage_pkey do update set events = greatest(u.events, excluded.events),
    deliveries = greatest(u.deliveries, excluded.deliveries), mails = greatest(u.mails, excluded.mails),
    storage_bytes = greatest(u.storage_bytes, excluded.storage_bytes),
    active_members = greatest(u.active_members, excluded.active_members);
end $$;
