-- The stream: events of each project in one order, numbered without gaps, for clients that are told of them at once.
-- locks: outbox for a moment against everything: it has the few rows that wait, and they are checked for a new kind
-- contract: the tables that are dropped are days of the log that nobody can resume from; the version before knows none of them

-- What is told to streams alone, such as a new notification, waits in the outbox beside events. Its payload is the id of what it is
-- about: `{"subject": …}`. The version before takes such rows out and tells nobody.
alter table outbox drop constraint outbox_kind_check;
alter table outbox add constraint outbox_kind_check check (kind in ('event', 'job', 'wake', 'stream'));
alter table outbox drop constraint outbox_lane;
alter table outbox add constraint outbox_lane check ((kind in ('event', 'stream')) = (lane is null));

-- The number of the last row of each project's log. Whoever numbers rows holds this row until the commit: so a row is seen after all
-- rows with a smaller number, and a number that is rolled back is given again.
create table stream_positions (
  project_id uuid not null,
  -- The project's own: there is one for each.
  id uuid not null default app.current_project(),
  last bigint not null,
  primary key (project_id, id)
) with (fillfactor = 50);
call app.tenant_table('stream_positions');
revoke insert, update, delete on stream_positions from guildhall_api;
create policy relay on stream_positions to guildhall_relay using (true) with check (true);
grant select, insert, update on stream_positions to guildhall_relay;

-- What streams tell, in the order of its numbers. Only ids: an event's data stays in its row, and everything else is read when
-- it is told. A day that is too old is dropped as a whole.
create table stream_log (
  project_id uuid not null,
  position bigint not null,
  -- The event's id; of what is told to streams alone, an id of its own.
  id uuid not null,
  type text not null,
  -- What it is about, where it is told to streams alone.
  subject_id uuid,
  occurred_at timestamptz not null,
  -- The time at which it was numbered.
  numbered_at timestamptz not null,
  primary key (project_id, position, numbered_at)
) partition by range (numbered_at);
call app.tenant_table('stream_log');
revoke insert, update, delete on stream_log from guildhall_api;
create policy relay on stream_log for insert to guildhall_relay with check (true);
create policy relay_reads on stream_log for select to guildhall_relay using (true);
grant select, insert on stream_log to guildhall_relay;

-- For what has no day of its own, because housekeeping was late.
create table stream_log_other partition of stream_log default;

-- Makes the days of the week to come and drops those that ended over 25 hours ago. A day for which rows came too early stays without a
-- part of its own. Waits for nobody longer than a moment; the next call makes up for it.
create function app.keep_stream_days() returns void
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
    if to_regclass(format('public.stream_log_%s', to_char(day, 'YYYYMMDD'))) is null then
      begin
        execute format('create table public.stream_log_%s partition of public.stream_log
          for values from (%L) to (%L)', to_char(day, 'YYYYMMDD'),
          day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
      exception when check_violation then
        null;
      end;
    end if;
  end loop;
  for part in
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'public.stream_log'::regclass and c.relname ~ '^stream_log_[0-9]{8}$'
      and (to_date(right(c.relname, 8), 'YYYYMMDD') + 1)::timestamp at time zone 'UTC' < now() - interval '25 hours'
  loop
    execute format('drop table public.%I', part.name);
  end loop;
  delete from public.stream_log_other where numbered_at < now() - interval '25 hours';
end $$;
revoke execute on function app.keep_stream_days() from public;
grant execute on function app.keep_stream_days() to guildhall_housekeeper;
select app.keep_stream_days();

-- What opens a stream once, where a browser can send no header. Only a hash of it is kept.
create table stream_tickets (
  project_id uuid not null,
  id uuid not null,
  hash bytea not null,
  -- The member who listens; null for a key that names nobody.
  member_id uuid,
  -- By which credential it was asked for: the session of a member's token, or a key.
  session_id uuid,
  key_id uuid,
  topics text[] not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (project_id, id),
  constraint stream_tickets_hash_key unique (project_id, hash),
  constraint stream_tickets_member_fkey foreign key (project_id, member_id)
    references members (project_id, id) on delete cascade,
  constraint stream_tickets_session_fkey foreign key (project_id, session_id)
    references sessions (project_id, id) on delete cascade,
  constraint stream_tickets_key_fkey foreign key (project_id, key_id)
    references api_keys (project_id, id) on delete cascade
);
create index stream_tickets_of_member on stream_tickets (project_id, member_id) where member_id is not null;
create index stream_tickets_of_session on stream_tickets (project_id, session_id) where session_id is not null;
create index stream_tickets_of_key on stream_tickets (project_id, key_id) where key_id is not null;
create index stream_tickets_by_expires_at on stream_tickets (expires_at);
call app.tenant_table('stream_tickets');
-- A ticket that was used or has expired is known for an hour, so that whoever sends it again is told which.
create policy expired on stream_tickets to guildhall_housekeeper using (expires_at < now() - interval '1 hour');
grant select, delete on stream_tickets to guildhall_housekeeper;

-- Every process with streams of a member hears within a second that what the member may read has changed.
create function app.announce_member_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('guildhall_changed_members', new.id::text);
  return null;
end $$;
create trigger announce_change after update of plan_id, role, status, deleted_at on members for each row
  when ((old.plan_id, old.role, old.status, old.deleted_at)
    is distinct from (new.plan_id, new.role, new.status, new.deleted_at))
  execute function app.announce_member_change();
