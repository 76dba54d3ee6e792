-- What every other file stands on: the roles that processes act as, the schema `app` of functions, and the procedures by which a table
-- becomes a table of projects, a counted one, or a limited one.

-- Roles belong to a whole cluster and carry grants only; they cannot log in. `migrate` makes one login per database for each of them, so
-- that several installations can share a cluster (decision 0003).
-- - api serves requests, within one project at a time
-- - keys looks up whose a credential is, before its project is known
-- - operator makes projects and sees what waits in all of them
-- - relay moves rows of the outbox of all projects to where the work is, and finds what is due
-- - queue is BullMQ's own, for its schema in this database (where there is no Redis)
-- - housekeeper can see and delete what is past its time, and nothing else
-- - webhooks reads endpoints and events of all projects, and records what became of deliveries
-- - auditor reads what all projects were paid and what became of it, and writes nothing
do $$
declare
  wanted text;
begin
  foreach wanted in array array['api', 'keys', 'operator', 'relay', 'queue', 'housekeeper', 'webhooks', 'auditor'] loop
    begin
      execute format('create role %I nologin', 'guildhall_' || wanted);
    exception when duplicate_object or unique_violation then
      null; -- another database of this cluster made it
    end;
  end loop;
end $$;

create schema app;
grant usage on schema app, public to guildhall_api, guildhall_keys, guildhall_operator, guildhall_relay, guildhall_housekeeper,
  guildhall_webhooks, guildhall_auditor;

create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- The tenant of the running transaction, null outside of one. Set by `set_config('app.project_id', …, true)`.
create function app.current_project() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.project_id', true), '')::uuid;

-- Makes a table one of projects. Policies apply to every role, the owner included (force). Where rows are looked for, the tenant is read
-- through a scalar sub-select: PostgreSQL evaluates it once per statement instead of once per row, and says nothing of a project to the
-- planner. A row that is written is checked by the function itself, because most statements write one row, for which a sub-select that is
-- begun and ended costs more (an event costs 8 % less of its write).
create procedure app.tenant_table(name text) language plpgsql as $$
begin
  execute format('alter table %I alter column project_id set default app.current_project()', name);
  execute format('alter table %I enable row level security', name);
  execute format('alter table %I force row level security', name);
  execute format(
    'create policy tenant on %I using (project_id = (select app.current_project()))
       with check (project_id = app.current_project())', name);
  execute format('grant select, insert, update, delete on %I to guildhall_api', name);
end $$;

-- The counters that app.counted_table has made, for the test that counts again.
create table app.counted_tables (
  counts text primary key,
  counted text not null,
  by text[] not null,
  counter text not null,
  only_where text not null
);
grant select on app.counted_tables to guildhall_api;

-- Declares an exact counter of the rows of a table by some of its columns (decision 0004). It keeps `counts` (made unless it is there):
-- `counter` rows of `counted` for each project and each value of `by`. Each backend adds to a slot of its own, so that concurrent writes
-- of one project hardly ever wait for each other.
--   call app.counted_table('members', 'member_counts', '{status,plan_id}', 'members', 'row.deleted_at is null')
-- The columns must not be null. `only_where` names columns as `row.x`. A counter may fall to 0, and its row stays.
create procedure app.counted_table(
  counted text, counts text, by text[], counter text, only_where text default 'true'
) language plpgsql as $$
declare
  keys text := (select string_agg(quote_ident(k), ', ' order by n) from unnest(by) with ordinality as b (k, n));
  typed text := (
    select string_agg(format('%I %s not null, ', k, format_type(a.atttypid, a.atttypmod)), '' order by n)
    from unnest(by) with ordinality as b (k, n)
    join pg_attribute a on a.attrelid = counted::regclass and a.attname = k
  );
  of_row text := replace(only_where, 'row.', '');
  of_old text := replace(only_where, 'row.', 'old.');
  of_new text := replace(only_where, 'row.', 'new.');
  old_keys text := (select string_agg(format('old.%I', k), ', ' order by n) from unnest(by) with ordinality as b (k, n));
  new_keys text := (select string_agg(format('new.%I', k), ', ' order by n) from unnest(by) with ordinality as b (k, n));
  body text := format(
    'insert into %I as c (project_id, %s, %I) select project_id, %s, %%s from %%s group by project_id, %s order by %s
       on conflict (project_id, %s, slot) do update set %I = c.%I + excluded.%I; return null;',
    counts, keys, counter, keys, keys, keys, keys, counter, counter, counter);
begin
  if to_regclass(counts) is null then
    execute format(
      'create table %I (project_id uuid not null, %s slot smallint not null default pg_backend_pid() %% 64,
         %I bigint not null, primary key (project_id, %s, slot)) with (fillfactor = 50)', counts, typed, counter, keys);
    call app.tenant_table(counts);
    execute format('alter table %I no force row level security', counts);
    execute format('alter table %I no force row level security', counted);
    execute format('insert into %I (project_id, %s, slot, %I) select project_id, %s, 0, count(*) from %I where %s group by project_id, %s',
      counts, keys, counter, keys, counted, of_row, keys);
    execute format('alter table %I force row level security', counts);
    execute format('alter table %I force row level security', counted);
  end if;
  -- Rows are always locked in the order of the columns, so that two moves in opposite directions cannot deadlock.
  execute format('create or replace function app.%I() returns trigger language plpgsql as $f$ begin %s end $f$',
    counts || '_inserted', format(body, 'count(*)', 'inserted where ' || of_row));
  execute format('create or replace function app.%I() returns trigger language plpgsql as $f$ begin %s end $f$',
    counts || '_deleted', format(body, '-count(*)', 'deleted where ' || of_row));
  execute format('create or replace function app.%I() returns trigger language plpgsql as $f$ begin %s end $f$',
    counts || '_moved', format(body, 'sum(step)', format(
      '(select old.project_id, %s, -1 where %s union all select new.project_id, %s, 1 where %s) as moved (project_id, %s, step)',
      old_keys, of_old, new_keys, of_new, keys)));
  execute format('create or replace trigger %I after insert on %I referencing new table as inserted
    for each statement execute function app.%I()', counts || '_inserted', counted, counts || '_inserted');
  execute format('create or replace trigger %I after delete on %I referencing old table as deleted
    for each statement execute function app.%I()', counts || '_deleted', counted, counts || '_deleted');
  execute format('create or replace trigger %I after update on %I for each row
    when ((%s, %s) is distinct from (%s, %s)) execute function app.%I()',
    counts || '_moved', counted, old_keys, of_old, new_keys, of_new, counts || '_moved');
  insert into app.counted_tables values (counts, counted, by, counter, only_where);
end $$;

-- The limits that app.limited_table has set, for the test that walks them.
create table app.limited_tables (limited text primary key, most integer not null, what text not null, only_where text not null);
grant select on app.limited_tables to guildhall_api;

-- Whoever may only insert, such as whoever makes a project with its first plan, may have its rows counted.
create function app.assert_limit() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp
as $$
declare
  most constant integer := tg_argv[0];
  project constant uuid := (select project_id from added limit 1);
  found bigint;
begin
  if project is null then return null; end if;
  -- Two that add the last one at the same moment take turns; the second one counts the row of the first one.
  perform pg_advisory_xact_lock(hashtextextended(format('limit of %s in %s', tg_table_name, project), 0));
  execute format('select count(*) from %I where project_id = $1 and %s', tg_table_name, tg_argv[2]) into found using project;
  if found > most then
    raise exception using errcode = 'GH001', message = format('a project has at most %s %s', most, tg_argv[1]),
      detail = json_build_object('limit', most, 'what', tg_argv[1])::text;
  end if;
  return null;
end $$;
revoke execute on function app.assert_limit from public;

-- Sets the most rows of a table that a project may make. What is there already stays, above a limit too. @what is for clients: 'plans'.
-- Rows that `only_where` leaves out are not counted.
create procedure app.limited_table(limited text, most integer, what text, only_where text default 'true')
language plpgsql as $$
begin
  execute format('create or replace trigger assert_limit after insert on %I referencing new table as added
    for each statement execute function app.assert_limit(%L, %L, %L)', limited, most, what, only_where);
  insert into app.limited_tables values (limited, most, what, only_where)
    on conflict on constraint limited_tables_pkey do update
    set most = excluded.most, what = excluded.what, only_where = excluded.only_where;
end $$;

-- Free-form customer data: an object of at most 50 keys. The 16 KiB of the API are counted on what a client sends;
-- here is the bound for what merging can add up to, in PostgreSQL's own, slightly longer, spelling.
create domain app.metadata as jsonb
  constraint metadata_is_object check (jsonb_typeof(value) = 'object')
  constraint metadata_key_count check (jsonb_array_length(jsonb_path_query_array(value, '$.keyvalue()')) <= 50)
  constraint metadata_size check (octet_length(value::text) <= 20480);

-- A UUIDv7 (RFC 9562): PostgreSQL has one of its own from version 18 on.
create function app.uuid_v7() returns uuid
  language sql volatile parallel safe
  return encode(set_bit(set_bit(
    overlay(uuid_send(gen_random_uuid())
      placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6),
    52, 1), 53, 1), 'hex')::uuid;

-- A stored id as the API shows it: 128 bits, led by two zeros, in 26 digits of Crockford's base32 (TypeID).
create function app.public_id(prefix text, id uuid) returns text
language sql immutable strict parallel safe
return prefix || '_' || (
  select string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', 1 + substring(bits from 1 + 5 * n for 5)::int, 1), '' order by n)
  from (select B'00' || ('x' || replace(id::text, '-', ''))::bit(128) as bits) as joined, generate_series(0, 25) as n
);

-- The stored form of a public id: what app.public_id makes, read backwards.
create function app.stored_id(public_id text) returns uuid
language sql immutable strict parallel safe
return (
  select (lpad(to_hex(substring(bits from 3 for 64)::bit(64)::bigint), 16, '0')
    || lpad(to_hex(substring(bits from 67 for 64)::bit(64)::bigint), 16, '0'))::uuid
  from (
    select string_agg((position(digit in '0123456789abcdefghjkmnpqrstvwxyz') - 1)::bit(5)::text, '' order by n)::varbit as bits
    from regexp_split_to_table(split_part(public_id, '_', 2), '') with ordinality as digits (digit, n)
  ) as joined
);

-- What is answered in place of HTML that is too long: its text.
create function app.text_as_html(content text) returns text language sql immutable parallel safe as $$
  select '<p>' || replace(replace(replace(content, '&', '&amp;'), '<', '&lt;'), '>', '&gt;') || '</p>'
$$;

-- The values of an object, with texts cut; together they are no longer than one text of so many characters. What is no text and
-- longer than its share becomes null.
create function app.shorten_values(object jsonb, characters int) returns jsonb language sql immutable parallel safe as $$
  select coalesce(jsonb_object_agg(key, case
      when length(value::text) <= share then value
      when jsonb_typeof(value) = 'string' then to_jsonb(left(value #>> '{}', share))
      else 'null'::jsonb end), '{}')
  from jsonb_each(object),
    (select greatest(characters / greatest((select count(*) from jsonb_object_keys(object)), 1), 1)::int as share) as of
$$;

-- Analyzes tables that have more than doubled since they were analyzed, and answers their names. PostgreSQL itself does so after a
-- minute or more; until then it keeps plans that were made for a table of no rows, in which every index is as good as any other.
-- A table that is being analyzed or changed by somebody else is left to the next call.
create function app.analyze_grown_tables() returns setof text
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
as $$
declare
  grown record;
begin
  for grown in
    select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and pg_stat_get_live_tuples(c.oid) > 20 + 2 * greatest(c.reltuples, 0)
  loop
    execute format('analyze (skip_locked) public.%I', grown.name);
    return next grown.name;
  end loop;
end $$;
revoke execute on function app.analyze_grown_tables() from public;
grant execute on function app.analyze_grown_tables() to guildhall_housekeeper;
