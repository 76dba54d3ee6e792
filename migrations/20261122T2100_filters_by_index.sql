-- Lists with the inputs that cost the most: members by metadata and by role, orders that have a text (decision 0120).

-- Exact totals of members by role, too. The counter is made again, with one column more.
drop trigger member_counts_inserted on members;
drop trigger member_counts_deleted on members;
drop trigger member_counts_moved on members;
drop function app.member_counts_inserted, app.member_counts_deleted, app.member_counts_moved;
drop table member_counts;
delete from app.counted_tables where counts = 'member_counts';
call app.counted_table('members', 'member_counts', '{status,plan_id,role}', 'members', 'row.deleted_at is null');

-- A change of metadata writes into the other indexes of the member too; changes of anything else do not.
create index members_metadata on members using gin (metadata jsonb_path_ops) with (gin_pending_list_limit = 256)
  where deleted_at is null;

-- What metadata with these pairs has, as conditions of the index; null where the index knows nothing of any of them. A value
-- is compared as it is written, so that 5 means the number as well as the text. What reads like an object or a list is left
-- to the filter: the index does not know empty ones.
create function app.metadata_parts(wanted jsonb) returns text
  language sql immutable set search_path = pg_catalog, public, pg_temp
  begin atomic
    select string_agg(case when value ~ '^(true|false|-?(0|[1-9][0-9]*)(\.[0-9]+)?)$'
        then format('(m.metadata @> %L or m.metadata @> %L)', jsonb_build_object(key, value), jsonb_build_object(key, value::jsonb))
        else format('m.metadata @> %L', jsonb_build_object(key, value)) end, ' and ')
    from (select pair ->> 0 as key, pair ->> 1 as value from jsonb_array_elements(wanted) as pair) as pairs
    where value !~ '^[[{]';
  end;
revoke execute on function app.metadata_parts from public;

-- One page of the members whose address or name has a text, or whose metadata has pairs, or both: their ids in order, and
-- how many there are; of a text up to 10,001.
--
-- Up to 10,000 matches are read and sorted. Of more, the first ones in order are looked for along the index of that order;
-- where the matches lie far from its beginning, all of them are sorted.
create or replace function app.search_members(
  sought text, pattern text, only_status text, only_plan uuid, only_role text, since timestamptz, wanted jsonb,
  sort text, is_descending boolean, after_value text, after_id uuid, most integer, skipped bigint, counts boolean,
  out ids uuid[], out total bigint
) language plpgsql stable security definer
  set search_path = pg_catalog, public, pg_temp
  -- What all members have is sorted in memory.
  set work_mem = '160MB'
  set jit = off
as $$
declare
  most_counted constant integer := 10000;
  -- Rows that are looked at along an index before all matches are sorted.
  most_walked constant integer := 4000;
  sorted text := case sort when 'created_at' then 'created_at' when 'email' then 'email_key' when 'full_name' then 'full_name' end;
  direction text := case when is_descending then 'desc' else 'asc' end;
  filters text := concat_ws(' and ', 'true',
    case when only_status is not null then 'm.status = $3' end,
    case when only_plan is not null then 'm.plan_id = $4' end,
    case when only_role is not null then 'm.role = $5' end,
    case when since is not null then 'm.updated_at >= $6' end,
    case when wanted is not null then 'not exists (select from jsonb_array_elements($7) w
      where m.metadata ->> (w ->> 0) is distinct from w ->> 1)' end);
  of_project constant text := 'm.project_id = $1 and m.deleted_at is null';
  has_text text := case when sought is null then 'true' else 'm.search_text like $2' end;
  -- The whole text is no condition of the index, which would read all trigrams of it, or itself where it has none.
  matches text := concat_ws(' and ', 'true',
    case when sought is not null then '(m.search_text || '''') like $2' end,
    case when sought is not null then app.rare_parts(sought) end,
    case when wanted is not null then app.metadata_parts(wanted) end);
  behind text := case when after_id is null then 'true' else format('(m.%I, m.id) %s ($8::%s, $9)',
    sorted, case when is_descending then '<' else '>' end, case sort when 'created_at' then 'timestamptz' else 'text' end) end;
  columns text := format('m.id, m.%I as sorted', sorted);
  in_order text := format('sorted %s, id %s', direction, direction);
  found text;
begin
  if counts then
    execute format(
      'with found as materialized (select %s from members m where %s and %s and %s limit %s)
       select (select count(*) from found), array(select id from found order by %s limit $10 offset $11)',
      columns, of_project, matches, filters, most_counted + 1, in_order)
      into total, ids
      using app.current_project(), pattern, only_status, only_plan, only_role, since, wanted, after_value, after_id,
        most, skipped;
    if total <= most_counted then return; end if;
    if sought is null then
      execute format('select count(*) from members m where %s and %s and %s', of_project, matches, filters) into total
        using app.current_project(), pattern, only_status, only_plan, only_role, since, wanted;
    end if;
  end if;
  if skipped + most <= most_walked / 2 then
    -- Every index begins with status.
    select string_agg(format('(select %s, m.search_text, m.status, m.plan_id, m.role, m.updated_at, m.metadata from members m
        where %s and m.status = %L and %s order by %s limit %s)', columns, of_project, status, behind,
        format('m.%I %s, m.id %s', sorted, direction, direction), most_walked), ' union all ') into found
      from unnest(array['active', 'inactive', 'pending']) status where only_status is null or status = only_status;
    execute format(
      'select array(select id from (select * from (%s) u order by %s limit %s) m
         where %s and %s limit $10 offset $11)',
      found, in_order, most_walked, has_text, filters)
      into ids
      using app.current_project(), pattern, only_status, only_plan, only_role, since, wanted, after_value, after_id,
        most, skipped;
    if cardinality(ids) = most then return; end if;
  end if;
  execute format(
    -- `offset 0` keeps PostgreSQL from walking along the index again.
    'select array(select id from (select %s from members m where %s and %s and %s and %s offset 0) found
       order by %s limit $10 offset $11)',
    columns, of_project, matches, filters, behind, in_order)
    into ids
    using app.current_project(), pattern, only_status, only_plan, only_role, since, wanted, after_value, after_id,
      most, skipped;
end $$;

-- What orders are searched by, beside the buyer's address: their number and the names of what was bought.
alter table orders add column line_names text not null default '';
do $$
begin
  execute format('create policy search on orders for select to %I using (true)', current_user);
  execute 'alter table orders no force row level security';
  execute 'alter table order_lines no force row level security';
  update orders o set line_names = coalesce((select string_agg(l.name, E'\n' order by l.place) from order_lines l
    where l.project_id = o.project_id and l.order_id = o.id), '');
  execute 'alter table orders force row level security';
  execute 'alter table order_lines force row level security';
end $$;
alter table orders add column search_text text not null generated always as (lower(number || E'\n' || line_names)) stored;
create index orders_search on orders using gin (search_text gin_trgm_ops) with (gin_pending_list_limit = 256);

-- One page of the orders whose number, buyer's address or lines have a text, in the order of their ids, and how many there
-- are, up to 10,001. It finds them as `app.search_members` finds members.
create function app.search_orders(
  sought text, pattern text, only_status text, since timestamptz, before timestamptz, is_descending boolean,
  after_id uuid, most integer, skipped bigint, counts boolean, out ids uuid[], out total bigint
) language plpgsql stable security definer
  set search_path = pg_catalog, public, pg_temp
  set work_mem = '64MB'
  set jit = off
as $$
declare
  most_counted constant integer := 10000;
  most_walked constant integer := 4000;
  direction text := case when is_descending then 'desc' else 'asc' end;
  filters text := concat_ws(' and ', 'o.project_id = $1',
    case when only_status is not null then 'o.status = $3' end,
    case when since is not null then 'o.created_at >= $4' end,
    case when before is not null then 'o.created_at < $5' end,
    case when after_id is not null then format('o.id %s $6', case when is_descending then '<' else '>' end) end);
  parts text := app.rare_parts(sought);
  own text := format('select o.id from orders o where %s and o.search_text like $2', filters);
  of_buyers text := format(
    'select o.id from orders o join members m on m.project_id = o.project_id and m.id = o.member_id
       where %s and m.project_id = $1 and m.email_key like $2', filters);
  -- The index of words has no members who are deleted.
  branches text[] := case when parts is null then array[own, of_buyers]
    else array[own, of_buyers || ' and m.deleted_at is null and ' || parts, of_buyers || ' and m.deleted_at is not null'] end;
begin
  if counts then
    execute format(
      'with found as materialized (%s) select (select count(*) from found),
         array(select id from found order by id %s limit $7 offset $8)',
      (select string_agg(format('(%s limit %s)', branch, most_counted + 1), ' union ') from unnest(branches) branch), direction)
      into total, ids
      using app.current_project(), pattern, only_status, since, before, after_id, most, skipped;
    if total <= most_counted then return; end if;
  end if;
  if skipped + most <= most_walked / 2 then
    execute format(
      'select array(select o.id from (select o.id, o.member_id, o.search_text from orders o where %s order by o.id %s limit %s) o
         left join members m on m.project_id = $1 and m.id = o.member_id
         where o.search_text like $2 or m.email_key like $2 order by o.id %s limit $7 offset $8)',
      filters, direction, most_walked, direction)
      into ids
      using app.current_project(), pattern, only_status, since, before, after_id, most, skipped;
    if cardinality(ids) = most then return; end if;
  end if;
  execute format('select array(select id from (%s) found order by id %s limit $7 offset $8)',
    array_to_string(branches, ' union '), direction)
    into ids
    using app.current_project(), pattern, only_status, since, before, after_id, most, skipped;
end $$;
revoke execute on function app.search_orders from public;
grant execute on function app.search_orders to guildhall_api;
