-- Members of a project, their passwords, and files of members that are imported.

-- A member. What others still refer to stays when personal data is erased (anonymized_at).
create table members (
  project_id uuid not null,
  id uuid not null,
  email text not null,
  -- Compared without case. A column of its own, because an index on lower(email) is useless behind row-level
  -- security: lower() is not leakproof, so PostgreSQL may not run it before the policy.
  email_key text not null generated always as (lower(email)) stored,
  full_name text not null default '',
  avatar_url text,
  role text not null default 'member' check (role ~ '^[a-z][a-z0-9_-]{0,31}$'),
  status text not null default 'active' check (status in ('active', 'inactive', 'pending')),
  plan_id uuid not null,
  plan_version integer not null,
  metadata app.metadata not null default '{}',
  email_verified_at timestamptz,
  last_login_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  anonymized_at timestamptz,
  -- An address before the present one was confirmed: whoever confirms this one is not the first.
  verified_before boolean not null default false,
  -- Why a member is pending. Null: an operator has said so, and nobody else lifts it.
  pending_reason text check (pending_reason in ('sign_up', 'invitation')),
  -- What a search looks through: app.search_members.
  search_text text not null generated always as (lower(email) || E'\n' || lower(full_name)) stored,
  primary key (project_id, id),
  constraint members_plan_fkey foreign key (project_id, plan_id, plan_version)
    references plan_versions (project_id, plan_id, version),
  constraint members_pending_reason check (pending_reason is null or status = 'pending')
) with (fillfactor = 90);
create unique index members_email_key on members (project_id, email_key) where deleted_at is null;
-- One index per sort order, led by status: a page of all statuses merges the three, so they need no indexes more.
create index members_by_created_at on members (project_id, status, created_at, id) where deleted_at is null;
create index members_by_email on members (project_id, status, email_key, id) where deleted_at is null;
create index members_by_full_name on members (project_id, status, full_name, id) where deleted_at is null;
create index members_by_plan on members (project_id, plan_id, plan_version);
-- The project is no column of the index: a posting list of all its members would be read with each search.
create index members_search on members using gin (search_text gin_trgm_ops) with (gin_pending_list_limit = 256)
  where deleted_at is null;
-- The filter by role, in the list's own order.
create index members_by_role on members (project_id, role, status, created_at, id) where deleted_at is null;
-- The filter by the last change. An ordinary index would take part in every change of a member; this one keeps the latest
-- change of each few pages.
create index members_by_change on members using brin (updated_at) with (pages_per_range = 16, autosummarize = on);
-- A change of metadata writes into the other indexes of the member too; changes of anything else do not.
create index members_metadata on members using gin (metadata jsonb_path_ops) with (gin_pending_list_limit = 256)
  where deleted_at is null;
-- The list's own order beside a text: an index of pages, which changes of a member do not touch.
create index members_by_age on members using brin (created_at) with (pages_per_range = 16, autosummarize = on);
create index members_deleted on members (project_id, deleted_at) where deleted_at is not null;
-- Deleted members wait 30 days by the clock of their project, so each project is asked often when the next one is due.
-- Anonymized ones, of which there are ever more, wait for nothing.
create index members_restorable on members (project_id, deleted_at) where deleted_at is not null and anonymized_at is null;
create index members_restorable_by_age on members (project_id, created_at, id)
  where deleted_at is not null and anonymized_at is null;
call app.tenant_table('members');
call app.counted_table('members', 'member_counts', '{status,plan_id,role}', 'members', 'row.deleted_at is null');

-- Password hashes live apart, so that no query for members can return one.
create table member_passwords (
  project_id uuid not null,
  id uuid not null,
  hash text not null,
  updated_at timestamptz not null,
  -- Who chose it. An operator's stays when an address is confirmed for the first time, anybody else's does not.
  set_by text not null default 'member' check (set_by in ('member', 'operator')),
  primary key (project_id, id),
  foreign key (project_id, id) references members (project_id, id) on delete cascade
);
call app.tenant_table('member_passwords');

-- Deletes members for good. One that others still refer to (posts, files, certificates, ratings) stays as the bare row that
-- forgetting has left of it, and keeps nobody else from being deleted.
create function app.purge_members(gone uuid[]) returns void
  language plpgsql
  set search_path = pg_catalog, public, pg_temp
as $$
declare
  one uuid;
begin
  begin
    delete from members where id = any (gone);
    return;
  exception when foreign_key_violation then
    null;
  end;
  foreach one in array gone loop
    begin
      delete from members where id = one;
    exception when foreign_key_violation then
      null;
    end;
  end loop;
end $$;

-- Search of members that stays quick when there are a million of them (decision 0018).
--
-- PostgreSQL uses no trigram index for a condition that a policy must come before: `like` is not leakproof. So the condition is asked by
-- a function that acts for the tables' owner, whom a policy of its own lets read. It says itself whose rows it answers, those of the
-- current project, and answers ids alone.
do $$
begin
  execute format('create policy search on members for select to %I using (true)', current_user);
end $$;

-- Parts of what is sought that have trigrams of their own, as conditions of an index: those that few members have, or else
-- the one that the fewest have. Trigrams that all members have (of a company's domain) cost much and exclude nobody. How many
-- have a part is estimated from the project's oldest and newest members: statistics are hidden behind row-level security.
create function app.rare_parts(sought text) returns text
  language sql stable set search_path = pg_catalog, public, pg_temp
  set enable_seqscan = off
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

-- The texts of some of the project's members, from equal stretches of the time in which their ids were made.
create function app.sample_of_members() returns text[]
  language sql stable set search_path = pg_catalog, public, pg_temp
  set enable_seqscan = off
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

-- One page of the members whose address or name has a text, or whose metadata has pairs, or both: their ids in order, and
-- how many there are; of a text up to 10,001.
--
-- Up to 10,000 matches are read and sorted. Of more, the first ones in order are looked for along the index of that order;
-- where the matches lie far from its beginning, all of them are sorted. For a text that has more than 10,000 matches:
-- - What most members have is looked for in the table. So is nothing else.
-- - Two letters or digits in the middle of a word have no trigram, but those with one more behind them do. That there are
--   more than 10,000 can be seen by these alone; where it cannot, all members are read.
-- - A page of the list's own order that lies far from its beginning lies before the place where so many matches of a sample
--   are: only what is before that place is read. The sample is what a scan of the index finds that leaves most matches
--   out (gin_fuzzy_search_limit). It is never an answer.
create function app.search_members(
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
revoke execute on function app.search_members from public;
grant execute on function app.search_members to guildhall_api;

-- Members that come as a CSV. The file is an object below <project>/imports/<id>/ and goes when it is read.
create table member_imports (
  project_id uuid not null references projects (id) on delete cascade,
  id uuid not null,
  -- While the file arrives it is `receiving`, and nobody knows of it.
  state text not null default 'receiving' check (state in ('receiving', 'queued', 'running', 'completed', 'failed')),
  dry_run boolean not null default false,
  -- The header of the file.
  columns text[] not null default '{}',
  total_rows integer not null default 0,
  -- Rows that are dealt with. Written with what became of them, so that none is dealt with twice.
  processed_rows integer not null default 0,
  created integer not null default 0,
  faulty integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (project_id, id),
  constraint member_imports_finished check ((state in ('completed', 'failed')) = (finished_at is not null))
);
create index member_imports_by_created_at on member_imports (project_id, created_at);
-- What has not finished has no such time.
create index member_imports_by_finish on member_imports (project_id, finished_at);
create index member_imports_by_state on member_imports (project_id, state, id);
call app.tenant_table('member_imports');

-- Rows of which no member became, as they came, and why.
create table member_import_faults (
  project_id uuid not null,
  import_id uuid not null,
  -- As spreadsheets count: the header is row 1.
  row integer not null,
  cells text[] not null,
  -- [{field, rule, message}]
  faults jsonb not null,
  primary key (project_id, import_id, row),
  foreign key (project_id, import_id) references member_imports (project_id, id) on delete cascade
);
call app.tenant_table('member_import_faults');
