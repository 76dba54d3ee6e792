-- Search of members that stays quick when there are a million of them (decision 0018). As with submissions, a function of
-- the tables' owner asks a trigram index, says itself whose rows it answers, and answers ids alone.
--
-- The project is no column of the index: a posting list of all its members would be read with each search.
alter table members add column search_text text not null generated always as (lower(email) || E'\n' || lower(full_name)) stored;
create index members_search on members using gin (search_text gin_trgm_ops) with (gin_pending_list_limit = 256)
  where deleted_at is null;

do $$
begin
  execute format('create policy search on members for select to %I using (true)', current_user);
end $$;

-- Parts of what is sought that have trigrams of their own, as conditions of an index: those that few members have, or else
-- the one that the fewest have. Trigrams that all members have (of a company's domain) cost much and exclude nobody. How many
-- have a part is estimated from the project's oldest and newest members: statistics are hidden behind row-level security.
create function app.rare_parts(sought text) returns text
  language sql stable set search_path = pg_catalog, public, pg_temp
  begin atomic
    with parts as (
      select distinct part[1] as part
      from regexp_matches(
        regexp_replace(sought, '([^[:alnum:]])', '\1\1', 'g'), '[^[:alnum:]]?[[:alnum:]]+[^[:alnum:]]?', 'g') as part
      where part[1] ~ '[[:alnum:]]{3}|^[^[:alnum:]][[:alnum:]]|[[:alnum:]]{2}[^[:alnum:]]$'
    ), patterns as (
      select '%' || regexp_replace(part, '([\\%_])', '\\\1', 'g') || '%' as pattern
      from parts order by length(part) desc limit 8
    ), samples as (
      (select search_text from members where project_id = app.current_project() order by id limit 32)
      union all
      (select search_text from members where project_id = app.current_project() order by id desc limit 32)
    ), shares as (
      select pattern, coalesce((select avg((search_text like pattern)::int) from samples), 0) as share from patterns
    )
    select string_agg(format('m.search_text like %L', pattern), ' and ') from shares
    where share <= 0.05 or share = (select min(share) from shares);
  end;
revoke execute on function app.rare_parts from public;

-- One page of the members whose address or name has a text: their ids in order, and how many there are, up to 10,001.
--
-- Up to 10,000 matches are read and sorted. Of more, the first ones in order are looked for along the index of that order;
-- where the matches lie far from its beginning, all of them are sorted.
create function app.search_members(
  sought text, pattern text, only_status text, only_plan uuid, only_role text, since timestamptz, wanted jsonb,
  sort text, is_descending boolean, after_value text, after_id uuid, most integer, skipped bigint, counts boolean,
  out ids uuid[], out total bigint
) language plpgsql stable security definer
  set search_path = pg_catalog, public, pg_temp
  -- What all members have is sorted in memory.
  set work_mem = '64MB'
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
  -- The whole text is no condition of the index, which would read all trigrams of it, or itself where it has none.
  matches text := concat_ws(' and ', '(m.search_text || '''') like $2', app.rare_parts(sought));
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
  end if;
  if skipped + most <= most_walked / 2 then
    -- Every index begins with status.
    select string_agg(format('(select %s, m.search_text, m.status, m.plan_id, m.role, m.updated_at, m.metadata from members m
        where %s and m.status = %L and %s order by %s limit %s)', columns, of_project, status, behind,
        format('m.%I %s, m.id %s', sorted, direction, direction), most_walked), ' union all ') into found
      from unnest(array['active', 'inactive', 'pending']) status where only_status is null or status = only_status;
    execute format(
      'select array(select id from (select * from (%s) u order by %s limit %s) m
         where m.search_text like $2 and %s limit $10 offset $11)',
      found, in_order, most_walked, filters)
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
revoke execute on function app.search_members from public;
grant execute on function app.search_members to guildhall_api;

-- The filter by role, in the list's own order.
create index members_by_role on members (project_id, role, status, created_at, id) where deleted_at is null;
-- The filter by the last change. An ordinary index would take part in every change of a member; this one keeps the latest
-- change of each few pages.
create index members_by_change on members using brin (updated_at) with (pages_per_range = 16, autosummarize = on);
