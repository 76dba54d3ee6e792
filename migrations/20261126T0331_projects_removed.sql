-- Projects that operators have deleted. Until `remove_after` one can be restored; then its rows and files are removed by a job, which
-- can be killed and goes on. A row stays as the certificate of what was removed; there is nothing of members in it.
create table project_removals (
  live_id uuid primary key,
  test_id uuid not null,
  name text not null,
  tier text not null,
  deleted_at timestamptz not null,
  -- The public id of the operator; null for the command on the server.
  deleted_by text,
  remove_after timestamptz not null,
  -- From here on it cannot be restored.
  begun_at timestamptz,
  -- The transaction in which it began: the removal ends when all older ones have ended.
  begun_in xid8,
  -- How many rows of each table there were, of both sides.
  rows jsonb,
  -- How many files there were, and how many bytes.
  objects bigint,
  bytes bigint,
  removed_at timestamptz,
  -- What a job has written that was still running then was looked for, and removed, too.
  rechecked_at timestamptz,
  constraint project_removals_begun check ((begun_at is null) = (begun_in is null) and (begun_at is null) = (rows is null)),
  constraint project_removals_removed check (removed_at is null or begun_at is not null)
);
grant select, insert, delete on project_removals to guildhall_operator;
grant select, update (objects, bytes) on project_removals to guildhall_housekeeper;
-- The tokens of a project that is gone live out their hour elsewhere.
grant select (live_id, test_id, removed_at) on project_removals to guildhall_keys;

-- The tables of projects, with the parts of those that have parts.
create function app.tables_of_projects() returns setof regclass language sql stable as $$
  select c.oid::regclass from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attname = 'project_id' and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
$$;

-- Begins the removal of a project whose grace is over, and counts what there is. False where it was restored, or where it is too early.
create function app.begin_removal(live uuid) returns boolean
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp
as $$
declare
  removal public.project_removals;
  side uuid;
  each_table regclass;
  of_table text;
  found_rows bigint;
  counted jsonb := '{}';
begin
  perform set_config('app.project_id', live::text, true);
  -- Whoever restores a project locks the same row.
  perform from public.projects where id = live for update;
  select * into removal from public.project_removals r where r.live_id = live;
  if removal is null or removal.remove_after > now() then return false; end if;
  if removal.begun_at is not null then return true; end if;
  foreach side in array array[removal.live_id, removal.test_id] loop
    perform set_config('app.project_id', side::text, true);
    for each_table in select * from app.tables_of_projects() loop
      execute format('select count(*) from %s where project_id = $1', each_table) into found_rows using side;
      if found_rows > 0 then
        of_table := coalesce(pg_partition_root(each_table), each_table)::text;
        counted := counted || jsonb_build_object(of_table, coalesce((counted ->> of_table)::bigint, 0) + found_rows);
      end if;
    end loop;
  end loop;
  update public.project_removals r set begun_at = now(), begun_in = pg_current_xact_id(), rows = counted where r.live_id = live;
  return true;
end $$;

-- Removes up to so many rows of one side of a project whose removal has begun, from tables in this order. Rows that others still refer
-- to stay for a later call. Answers how many it has removed.
create function app.remove_rows(side uuid, tables regclass[], most integer) returns bigint
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp
as $$
declare
  step record;
  removed bigint;
  total bigint := 0;
begin
  if not exists (select from public.project_removals r where side in (r.live_id, r.test_id) and r.begun_at is not null) then
    raise exception 'the removal of this project has not begun';
  end if;
  if exists (select unnest(tables)::oid except select t::oid from app.tables_of_projects() as t) then
    raise exception 'these are not all tables of projects';
  end if;
  perform set_config('app.project_id', side::text, true);
  for step in
    select t.name, coalesce(string_agg(format(' and not exists (select from %s as child where %s)', f.conrelid::regclass, (
        select string_agg(format('child.%I = gone.%I', theirs.attname, ours.attname), ' and ')
        from unnest(f.conkey, f.confkey) as pair (their, our)
        join pg_attribute theirs on theirs.attrelid = f.conrelid and theirs.attnum = pair.their
        join pg_attribute ours on ours.attrelid = f.confrelid and ours.attnum = pair.our)), '') filter (where f.oid is not null), '') as unreferenced
    from unnest(tables) with ordinality as t (name, place)
    left join pg_constraint f on f.contype = 'f' and f.confrelid = t.name and f.confdeltype in ('a', 'r') and f.conparentid = 0
    group by t.name, t.place order by t.place
  loop
    execute format('delete from only %1$s where ctid = any (array(
        select gone.ctid from only %1$s as gone where gone.project_id = $1 %2$s limit $2))', step.name, step.unreferenced)
      using side, most - total;
    get diagnostics removed = row_count;
    total := total + removed;
    exit when total >= most;
  end loop;
  return total;
end $$;

-- Ends the removal of a project: nothing of it is left in any table. Answers what is still left, or `{}` at the end; `{null}` while a
-- transaction from before the removal is under way, which could still write.
create function app.end_removal(live uuid) returns text[]
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp
as $$
declare
  removal public.project_removals;
  side uuid;
  each_table regclass;
  is_there boolean;
  left_in text[] := '{}';
begin
  select * into strict removal from public.project_removals r where r.live_id = live and r.begun_at is not null for update;
  if removal.removed_at is not null then
    update public.project_removals r set rechecked_at = now() where r.live_id = live;
    return '{}';
  end if;
  if pg_snapshot_xmin(pg_current_snapshot()) <= removal.begun_in then return array[null]; end if;
  foreach side in array array[removal.live_id, removal.test_id] loop
    perform set_config('app.project_id', side::text, true);
    for each_table in select * from app.tables_of_projects() loop
      execute format('select exists (select from %s where project_id = $1)', each_table) into is_there using side;
      if is_there then left_in := left_in || each_table::text; end if;
    end loop;
  end loop;
  if left_in <> '{}' then return left_in; end if;
  perform set_config('app.project_id', removal.test_id::text, true);
  delete from public.projects where id = removal.test_id;
  perform set_config('app.project_id', removal.live_id::text, true);
  delete from public.projects where id = removal.live_id;
  update public.project_removals r set removed_at = now() where r.live_id = live returning * into removal;
  insert into public.project_acts (id, live_id, name, action, actor_id, after)
  values (app.uuid_v7(), live, removal.name, 'project.remove', removal.deleted_by, jsonb_build_object(
    'deleted_at', removal.deleted_at, 'removed_at', removal.removed_at, 'rows', removal.rows,
    'files', coalesce(removal.objects, 0), 'bytes', coalesce(removal.bytes, 0)));
  return '{}';
end $$;

revoke execute on function app.tables_of_projects, app.begin_removal, app.remove_rows, app.end_removal from public;
grant execute on function app.tables_of_projects, app.begin_removal, app.remove_rows, app.end_removal to guildhall_housekeeper;
