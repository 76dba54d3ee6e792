-- Searches of members with many matches (decision 0125).

-- The list's own order beside a text: an index of pages, which changes of a member do not touch.
create index members_by_age on members using brin (created_at) with (pages_per_range = 16, autosummarize = on);

-- The texts of some of the project's members, from equal stretches of the time in which their ids were made.
create function app.sample_of_members() returns text[]
  language sql stable set search_path = pg_catalog, public, pg_temp
  begin atomic
    with ends (id, is_first) as (
      (select id, true from members where project_id = app.current_project() order by id limit 1)
      union all
      (select id, false from members where project_id = app.current_project() order by id desc limit 1)
    ), times as (
      select min(ms) as earliest, max(ms) as latest
      from (select ('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint as ms from ends) as read
    )
    select array(
      select m.search_text
      from times, generate_series(0, 15) as n, lateral (
        select search_text from members
        where project_id = app.current_project()
          and id >= (lpad(to_hex(earliest + (latest - earliest) * n / 16), 12, '0') || repeat('0', 20))::uuid
        order by id limit 1) as m);
  end;
revoke execute on function app.sample_of_members from public;

-- The share of these texts that have a part.
create function app.share_of(texts text[], pattern text) returns double precision
  language sql immutable set search_path = pg_catalog, pg_temp
  return (select coalesce(avg((each like pattern)::int), 0) from unnest(texts) as each);
revoke execute on function app.share_of from public;

-- A part of what is sought that is one trigram, as a condition of the index: the one that the fewest of the texts have. Null
-- where it has none.
create function app.rare_trigram(sought text, texts text[]) returns text
  language sql immutable set search_path = pg_catalog, pg_temp
  begin atomic
    with parts as (
      select part from generate_series(1, length(sought)) as place, lateral (values (substr(sought, place, 3)),
        (substr(sought, place, 2))) as parts (part)
      where part ~ '^([[:alnum:]]{3}|[[:alnum:]]{2}[^[:alnum:]]|[^[:alnum:]][[:alnum:]])$'
    ), patterns as (
      select distinct '%' || regexp_replace(part, '([\\%_])', '\\\1', 'g') || '%' as pattern from parts limit 16
    )
    select format('m.search_text like %L', pattern) from patterns order by app.share_of(texts, pattern), pattern limit 1;
  end;
revoke execute on function app.rare_trigram from public;

-- As before (decision 0120), and for a text that has more than 10,000 matches:
-- - What most members have is looked for in the table. So is nothing else.
-- - Two letters or digits in the middle of a word have no trigram, but those with one more behind them do. That there are
--   more than 10,000 can be seen by these alone; where it cannot, all members are read as before.
-- - A page of the list's own order that lies far from its beginning lies before the place where so many matches of a sample
--   are: only what is before that place is read. The sample is what a scan of the index finds that leaves most matches
--   out (gin_fuzzy_search_limit). It is never an answer.
create or replace function app.search_members(
  sought text, pattern text, only_status text, only_plan uuid, only_role text, since timestamptz, wanted jsonb,
  sort text, is_descending boolean, after_value text, after_id uuid, most integer, skipped bigint, counts boolean,
  out ids uuid[], out total bigint
) language plpgsql stable security definer
  set search_path = pg_catalog, public, pg_temp
  -- What all members have is sorted in memory.
  set work_mem = '160MB'
  set jit = off
  -- So that it is reset at the end.
  set gin_fuzzy_search_limit = 0
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
  of_project constant text := 'm.project_id = $1 and m.deleted_at is null';
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
