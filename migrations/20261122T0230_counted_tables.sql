-- Counters that are declared in one line: rows of a table by some of its columns, exact at any moment (decision 0004). Each
-- backend adds to a slot of its own, so that concurrent writes of one project hardly ever wait for each other.

-- What is counted, for the test that counts again.
create table app.counted_tables (
  counts text primary key,
  counted text not null,
  by text[] not null,
  counter text not null,
  only_where text not null
);
grant select on app.counted_tables to guildhall_api;

-- Keeps `counts` (made unless it is there): `counter` rows of `counted` for each project and each value of `by`.
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

drop trigger members_inserted on members;
drop trigger members_deleted on members;
drop trigger member_moved on members;
drop function app.members_inserted, app.members_deleted, app.member_moved;
call app.counted_table('members', 'member_counts', '{status,plan_id}', 'members', 'row.deleted_at is null');

drop trigger form_submissions_inserted on form_submissions;
drop trigger form_submissions_deleted on form_submissions;
drop trigger form_submission_moved on form_submissions;
drop function app.form_submissions_inserted, app.form_submissions_deleted, app.form_submission_moved;
call app.counted_table('form_submissions', 'form_submission_counts', '{form_id,status}', 'submissions');
