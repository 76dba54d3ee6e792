-- Searches of products and of mails use their indexes, which only a function reaches behind row-level security (decision 0018). A frequent
-- text fills a page from the first rows in order; a rare one is looked up.
-- locks: none: functions alone

-- A page of products in their order. Nobody counts them.
create function app.search_products(
  pattern text, only_active boolean, only_category text, only_slug text, since timestamptz, before timestamptz, sort text,
  is_descending boolean, after_value text, after_id uuid, most integer, skipped bigint,
  out ids uuid[], out total bigint
) language plpgsql stable security definer
  set search_path = pg_catalog, public, pg_temp
  set jit = off
  -- As app.search_members.
  set enable_seqscan = on
  set random_page_cost = 4
as $$
declare
  most_walked constant integer := 2000;
  direction constant text := case when is_descending then 'desc' else 'asc' end;
  sorted constant text := case sort when 'created_at' then 'created_at' when 'name' then 'name' when 'price' then 'price_minor' end;
  sorted_type constant text := case sort when 'created_at' then 'timestamptz' when 'name' then 'text' when 'price' then 'bigint' end;
  in_order constant text := format('sorted %s, id %s', direction, direction);
  chosen constant text := format('select p.id, p.%I as sorted, p.name from products p where %s', sorted, concat_ws(' and ',
    'p.project_id = $1 and p.deleted_at is null',
    case when only_active is not null then 'p.is_active = $3' end,
    case when only_category is not null then 'p.category = $4' end,
    case when only_slug is not null then 'p.slug = $5' end,
    case when since is not null then 'p.created_at >= $6' end,
    case when before is not null then 'p.created_at < $7' end,
    case when after_id is not null
      then format('(p.%I, p.id) %s ($8::%s, $9)', sorted, case when is_descending then '<' else '>' end, sorted_type) end));
begin
  if skipped + most <= most_walked / 2 then
    execute format('select array(select id from (%s order by %s limit %s) p where lower(name) like $2 order by %s limit $10 offset $11)',
      chosen, in_order, most_walked, in_order)
      into ids
      using app.current_project(), pattern, only_active, only_category, only_slug, since, before, after_value, after_id, most, skipped;
    if cardinality(ids) = most then return; end if;
  end if;
  -- Found first and then sorted: the order of an index would be walked for a rare text.
  execute format('with found as materialized (%s and lower(p.name) like $2)
      select array(select id from found order by %s limit $10 offset $11)', chosen, in_order)
    into ids
    using app.current_project(), pattern, only_active, only_category, only_slug, since, before, after_value, after_id, most, skipped;
end $$;
revoke execute on function app.search_products from public;
grant execute on function app.search_products to guildhall_api;

-- A page of mails in the order of their ids, and how many match, up to 10,001.
create function app.search_mails(
  pattern text, only_state text, only_mail text, only_member uuid, since timestamptz, before timestamptz, is_descending boolean,
  after_id uuid, most integer, skipped bigint, counts boolean,
  out ids uuid[], out total bigint
) language plpgsql stable security definer
  set search_path = pg_catalog, public, pg_temp
  set work_mem = '64MB'
  set jit = off
  set enable_seqscan = on
  set random_page_cost = 4
as $$
declare
  most_counted constant integer := 10000;
  most_walked constant integer := 2000;
  direction constant text := case when is_descending then 'desc' else 'asc' end;
  matches constant text := E'lower(to_address || E''\\n'' || to_name) like $2';
  chosen constant text := format('select id, to_address, to_name from mails where %s', concat_ws(' and ',
    'project_id = $1',
    case when only_state is not null then 'state = $3' end,
    case when only_mail is not null then 'mail = $4' end,
    case when only_member is not null then 'member_id = $5' end,
    case when since is not null then 'created_at >= $6' end,
    case when before is not null then 'created_at < $7' end,
    case when after_id is not null then format('id %s $8', case when is_descending then '<' else '>' end) end));
begin
  if counts then
    execute format('with found as materialized (%s and %s limit %s)
        select (select count(*) from found), array(select id from found order by id %s limit $9 offset $10)',
      chosen, matches, most_counted + 1, direction)
      into total, ids
      using app.current_project(), pattern, only_state, only_mail, only_member, since, before, after_id, most, skipped;
    if total <= most_counted then return; end if;
  end if;
  if skipped + most <= most_walked / 2 then
    execute format('select array(select id from (%s order by id %s limit %s) m where %s order by id %s limit $9 offset $10)',
      chosen, direction, most_walked, matches, direction)
      into ids
      using app.current_project(), pattern, only_state, only_mail, only_member, since, before, after_id, most, skipped;
    if cardinality(ids) = most then return; end if;
  end if;
  execute format('with found as materialized (%s and %s)
      select array(select id from found order by id %s limit $9 offset $10)', chosen, matches, direction)
    into ids
    using app.current_project(), pattern, only_state, only_mail, only_member, since, before, after_id, most, skipped;
end $$;
revoke execute on function app.search_mails from public;
grant execute on function app.search_mails to guildhall_api;
