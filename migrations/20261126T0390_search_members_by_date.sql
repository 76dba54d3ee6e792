-- The search of members knows from when to when they were created. It is a function beside the one of before, which servers of the
-- version before call.
-- locks: none: a function alone

create function app.search_members(
  sought text, pattern text, only_status text, only_plan uuid, only_role text, since timestamptz,
  created_from timestamptz, created_before timestamptz, wanted jsonb,
  sort text, is_descending boolean, after_value text, after_id uuid, most integer, skipped bigint, counts boolean,
  out ids uuid[], out total bigint
) language plpgsql stable security definer
  set search_path = pg_catalog, public, pg_temp
  -- What all members have is sorted in memory.
  set work_mem = '160MB'
  set jit = off
  -- So that it is reset at the end.
  set gin_fuzzy_search_limit = 0
  -- The login of requests plans for indexes (decision 0007). A search plans each statement for its values, when it runs: by what
  -- tables hold, and by PostgreSQL's own prices, as they were measured.
  set enable_seqscan = on
  set enable_hashjoin = on
  set enable_mergejoin = on
  set random_page_cost = 4
as $$
declare
  most_counted constant integer := 10000;
  -- Rows that are looked at along an index before all matches are sorted.
  most_walked constant integer := 4000;
  most_sampled constant text := '2000';
  sorted text := case sort when 'created_at' then 'created_at' when 'email' then 'email_key' when 'full_name' then 'full_name' end;
  direction text := case when is_descending then 'desc' else 'asc' end;
  filters text := concat_ws(' and ', 'true',
    case when only_status is not null then 'm.status = $3' end,
    case when only_plan is not null then 'm.plan_id = $4' end,
    case when only_role is not null then 'm.role = $5' end,
    case when since is not null then 'm.updated_at >= $6' end,
    case when wanted is not null then 'not exists (select from jsonb_array_elements($7) w
      where m.metadata ->> (w ->> 0) is distinct from w ->> 1)' end);
  of_project constant text := concat_ws(' and ', 'm.project_id = $1 and m.deleted_at is null',
    case when created_from is not null then format('m.created_at >= %L', created_from) end,
    case when created_before is not null then format('m.created_at < %L', created_before) end);
  has_text text := case when sought is null then 'true' else 'm.search_text like $2' end;
  -- The whole text is no condition of the index, which would read all trigrams of it, or itself where it has none.
  has_text_apart constant text := '(m.search_text || '''') like $2';
  -- Decides the way, never the answer.
  texts text[] := case when sought is not null then app.sample_of_members() end;
  share double precision := app.share_of(texts, pattern);
  has_metadata text := case when wanted is null then 'true' else coalesce(app.metadata_parts(wanted), 'true') end;
  matches text := concat_ws(' and ', has_metadata,
    case when sought is null then null when share > 0.5 then has_text else has_text_apart end,
    case when sought is not null and share <= 0.5 then app.rare_parts(sought) end);
  behind text := case when after_id is null then 'true' else format('(m.%I, m.id) %s ($8::%s, $9)',
    sorted, case when is_descending then '<' else '>' end, case sort when 'created_at' then 'timestamptz' else 'text' end) end;
  before text := 'true';
  columns text := format('m.id, m.%I as sorted', sorted);
  in_order text := format('sorted %s, id %s', direction, direction);
  found text;
  trigram text;
  bound timestamptz;
begin
  if counts and share <= 0.5 and sought ~ '^[0-9a-z]{2}$' then
    execute format('select count(*) from (select from members m where %s and %s and %s and (%s) and %s limit %s) found',
      of_project, has_metadata, has_text_apart,
      (select string_agg(format('m.search_text like %L', '%' || sought || letter || '%'), ' or ')
       from regexp_split_to_table('0123456789abcdefghijklmnopqrstuvwxyz', '') as letter),
      filters, most_counted + 1)
      into total
      using app.current_project(), pattern, only_status, only_plan, only_role, since, wanted;
  end if;
  if counts and coalesce(total, 0) <= most_counted then
    execute format(
      'with found as materialized (select %s from members m where %s and %s and %s limit %s),
         counted as (select count(*) as total from found)
       select total, case when total <= %s then array(select id from found order by %s limit $10 offset $11) end from counted',
      columns, of_project, matches, filters, most_counted + 1, most_counted, in_order)
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
    trigram := case when sought is not null and share <= 0.5 and sorted = 'created_at' then app.rare_trigram(sought, texts) end;
    if trigram is not null then
      perform set_config('gin_fuzzy_search_limit', most_sampled, true);
      execute format(
        'select sorted from (select %s from members m where %s and %s and %s and %s and %s offset 0) found
           order by %s limit 1 offset $10 + $11 - 1',
        columns, of_project, has_text_apart, trigram, filters, behind, in_order)
        into bound
        using app.current_project(), pattern, only_status, only_plan, only_role, since, wanted, after_value, after_id,
          most, skipped;
      perform set_config('gin_fuzzy_search_limit', '0', true);
      before := case when bound is null then before
        else format('m.created_at %s %L', case when is_descending then '>=' else '<=' end, bound) end;
    end if;
  end if;
  execute format(
    -- `offset 0` keeps PostgreSQL from walking along the index again.
    'select array(select id from (select %s from members m where %s and %s and %s and %s and %s offset 0) found
       order by %s limit $10 offset $11)',
    columns, of_project, matches, filters, behind, before, in_order)
    into ids
    using app.current_project(), pattern, only_status, only_plan, only_role, since, wanted, after_value, after_id,
      most, skipped;
end $$;
revoke execute on function app.search_members(text, text, text, uuid, text, timestamptz, timestamptz, timestamptz, jsonb, text, boolean,
  text, uuid, integer, bigint, boolean) from public;
grant execute on function app.search_members(text, text, text, uuid, text, timestamptz, timestamptz, timestamptz, jsonb, text, boolean,
  text, uuid, integer, bigint, boolean) to guildhall_api;
