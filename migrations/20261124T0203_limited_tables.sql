-- The most rows of a table that a project may make, declared in one line. What is there already stays, above a limit too.

-- The limits, for the test that walks them.
create table app.limited_tables (limited text primary key, most integer not null, what text not null, only_where text not null);
grant select on app.limited_tables to guildhall_api;

-- Who may only insert, such as whoever makes a project with its first plan, may have its rows counted.
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

-- Refuses a row above so many of a project. @what is for clients: 'plans'. Rows that `only_where` leaves out are not counted.
create procedure app.limited_table(limited text, most integer, what text, only_where text default 'true')
language plpgsql as $$
begin
  execute format('create or replace trigger assert_limit after insert on %I referencing new table as added
    for each statement execute function app.assert_limit(%L, %L, %L)', limited, most, what, only_where);
  insert into app.limited_tables values (limited, most, what, only_where)
    on conflict on constraint limited_tables_pkey do update
    set most = excluded.most, what = excluded.what, only_where = excluded.only_where;
end $$;

call app.limited_table('discussion_categories', 500, 'discussion categories');
call app.limited_table('forms', 500, 'forms', 'deleted_at is null');
call app.limited_table('help_categories', 500, 'help categories');
call app.limited_table('payment_accounts', 50, 'payment accounts', 'archived_at is null');
call app.limited_table('plans', 500, 'plans');
call app.limited_table('sso_connections', 100, 'single sign-on connections');
call app.limited_table('webhook_endpoints', 200, 'webhook endpoints');
