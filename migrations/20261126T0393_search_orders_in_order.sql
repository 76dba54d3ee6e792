-- The search of orders sorts as the list does, looks within one member's orders, and finds buyers by their names too. It is a function
-- beside the one of before, which servers of the version before call.
-- locks: none: a function alone

create function app.search_orders(
  sought text, pattern text, only_status text, only_member uuid, since timestamptz, before timestamptz, sort text,
  is_descending boolean, after_value text, after_id uuid, most integer, skipped bigint, counts boolean,
  out ids uuid[], out total bigint
) language plpgsql stable security definer
  set search_path = pg_catalog, public, pg_temp
  set work_mem = '64MB'
  set jit = off
  set enable_mergejoin = off
  -- As app.search_members.
  set enable_seqscan = on
  set enable_hashjoin = on
  set random_page_cost = 4
as $$
declare
  most_counted constant integer := 10000;
  most_walked constant integer := 4000;
  direction constant text := case when is_descending then 'desc' else 'asc' end;
  sorted constant text := case sort when 'created_at' then 'created_at' when 'total' then 'total_minor' end;
  sorted_type constant text := case sort when 'created_at' then 'timestamptz' when 'total' then 'bigint' end;
  in_order constant text := format('sorted %s, id %s', direction, direction);
  filters text := concat_ws(' and ', 'o.project_id = $1',
    case when only_status is not null then 'o.status = $3' end,
    case when since is not null then 'o.created_at >= $4' end,
    case when before is not null then 'o.created_at < $5' end,
    case when only_member is not null then 'o.member_id = $6' end,
    case when after_id is not null
      then format('(o.%I, o.id) %s ($7::%s, $8)', sorted, case when is_descending then '<' else '>' end, sorted_type) end);
  parts text := app.rare_parts(sought);
  columns constant text := format('o.id, o.%I as sorted', sorted);
  own text := format('select %s from orders o where %s and o.search_text like $2', columns, filters);
  of_buyers text := format(
    'select %s from orders o join members m on m.project_id = o.project_id and m.id = o.member_id
       where %s and m.project_id = $1 and m.search_text like $2', columns, filters);
  -- The index of words has no members who are deleted.
  branches text[] := case when parts is null then array[own, of_buyers]
    else array[own, of_buyers || ' and m.deleted_at is null and ' || parts, of_buyers || ' and m.deleted_at is not null'] end;
begin
  if counts then
    execute format(
      'with found as materialized (%s) select (select count(*) from found),
         array(select id from found order by %s limit $9 offset $10)',
      (select string_agg(format('(%s limit %s)', branch, most_counted + 1), ' union ') from unnest(branches) branch), in_order)
      into total, ids
      using app.current_project(), pattern, only_status, since, before, only_member, after_value, after_id, most, skipped;
    if total <= most_counted then return; end if;
  end if;
  if skipped + most <= most_walked / 2 then
    execute format(
      'select array(select o.id from (select %s, o.member_id, o.search_text from orders o where %s order by %s limit %s) o
         left join members m on m.project_id = $1 and m.id = o.member_id
         where o.search_text like $2 or m.search_text like $2 order by %s limit $9 offset $10)',
      columns, filters, format('o.%I %s, o.id %s', sorted, direction, direction), most_walked,
      format('o.sorted %s, o.id %s', direction, direction))
      into ids
      using app.current_project(), pattern, only_status, since, before, only_member, after_value, after_id, most, skipped;
    if cardinality(ids) = most then return; end if;
  end if;
  execute format('select array(select id from (%s) found order by %s limit $9 offset $10)',
    array_to_string(branches, ' union '), in_order)
    into ids
    using app.current_project(), pattern, only_status, since, before, only_member, after_value, after_id, most, skipped;
end $$;
revoke execute on function app.search_orders(text, text, text, uuid, timestamptz, timestamptz, text, boolean, text, uuid, integer,
  bigint, boolean) from public;
grant execute on function app.search_orders(text, text, text, uuid, timestamptz, timestamptz, text, boolean, text, uuid, integer,
  bigint, boolean) to guildhall_api;
