-- Which requests a project was sent in the last 7 days, for its operators, and which events each of them caused.
-- contract: the tables that app.keep_request_days drops are days of the request log, which the version before does not know
-- locks: events, outbox, jobs, mails and audit_log for a moment, to which a column without a default is added

-- Neither bodies nor addresses. Rows are written beside the requests, in batches; some can be missing.
create table request_log (
  project_id uuid not null,
  id uuid not null,
  -- When the request came.
  at timestamptz not null,
  method text not null,
  -- The pattern of the path.
  route text not null,
  status smallint not null,
  -- Milliseconds until it was answered.
  ms double precision not null,
  key_id uuid,
  -- The member whose token it was; no foreign key, because the row is written later.
  member_id uuid,
  -- The operator whose token it was.
  operator_id uuid,
  request_id text not null,
  -- The code of the error.
  code text,
  primary key (project_id, at, id)
) partition by range (at);
create index request_log_by_request on request_log (project_id, request_id);
create index request_log_of_member on request_log (project_id, member_id, at, id) where member_id is not null;
create index request_log_failed on request_log (project_id, at, id) where status >= 400;
call app.tenant_table('request_log');
-- Requests of all projects are written by one statement, with the login of keys.
revoke insert, update on request_log from guildhall_api;
create policy writer on request_log for insert to guildhall_keys with check (true);
grant insert on request_log to guildhall_keys;

-- For what has no day of its own.
create table request_log_other partition of request_log default;

-- Makes the days to come and drops those that are past, each at once. A day for which rows came before it was made stays without a part
-- of its own. Waits for nobody longer than a moment; the next call makes up for it.
create function app.keep_request_days(today date default (now() at time zone 'UTC')::date) returns void
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
  set lock_timeout = '2s'
as $$
declare
  day date;
  part record;
begin
  for day in select generate_series(today, today + 2, interval '1 day')::date loop
    if to_regclass(format('public.request_log_%s', to_char(day, 'YYYYMMDD'))) is null then
      begin
        execute format('create table public.request_log_%s partition of public.request_log for values from (%L) to (%L)',
          to_char(day, 'YYYYMMDD'), day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
      exception when check_violation then
        null;
      end;
    end if;
  end loop;
  for part in
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'public.request_log'::regclass and c.relname ~ '^request_log_[0-9]{8}$'
      and to_date(right(c.relname, 8), 'YYYYMMDD') < today - 7
  loop
    execute format('drop table public.%I', part.name);
  end loop;
  delete from public.request_log_other where at < (today - 7)::timestamp at time zone 'UTC';
end $$;
revoke execute on function app.keep_request_days(date) from public;
grant execute on function app.keep_request_days(date) to guildhall_housekeeper;
select app.keep_request_days();

-- The request that each comes from, directly or by a job.
alter table events add column request_id text;
alter table outbox add column request_id text;
alter table jobs add column request_id text;
alter table mails add column request_id text;
alter table audit_log add column request_id text;
