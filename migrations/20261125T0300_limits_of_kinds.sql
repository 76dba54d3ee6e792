-- Limits of what belongs to one thing, such as the lessons of one course, and of further kinds.

alter table app.limited_tables add column per text not null default 'project_id';

create or replace function app.assert_limit() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp
as $$
declare
  most constant integer := tg_argv[0];
  per constant text := coalesce(tg_argv[3], 'project_id');
  project uuid;
  owned_by uuid;
  found bigint;
begin
  for project, owned_by in execute format('select distinct project_id, %I from added order by 1, 2', per) loop
    -- Two that add the last one at the same moment take turns; the second one counts the row of the first one.
    perform pg_advisory_xact_lock(hashtextextended(format('limit of %s in %s', tg_table_name, owned_by), 0));
    execute format('select count(*) from %I where project_id = $1 and %I = $2 and %s', tg_table_name, per, tg_argv[2])
      into found using project, owned_by;
    if found > most then
      raise exception using errcode = 'GH001', message = format('there are at most %s %s', most, tg_argv[1]),
        detail = json_build_object('limit', most, 'what', tg_argv[1])::text;
    end if;
  end loop;
  return null;
end $$;

-- Refuses a row above so many of a project, or of what the column `per` names. @what is for clients: 'plans'. Rows that `only_where`
-- leaves out are not counted.
drop procedure app.limited_table(text, integer, text, text);
create procedure app.limited_table(
  limited text, most integer, what text, only_where text default 'true', per text default 'project_id')
language plpgsql as $$
begin
  execute format('create or replace trigger assert_limit after insert on %I referencing new table as added
    for each statement execute function app.assert_limit(%L, %L, %L, %L)', limited, most, what, only_where, per);
  insert into app.limited_tables values (limited, most, what, only_where, per)
    on conflict on constraint limited_tables_pkey do update
    set most = excluded.most, what = excluded.what, only_where = excluded.only_where, per = excluded.per;
end $$;

call app.limited_table('analytics_goals', 100, 'goals');
call app.limited_table('api_keys', 500, 'API keys', 'revoked_at is null and (expires_at is null or expires_at > now())');
call app.limited_table('content_rules', 5000, 'page rules');
call app.limited_table('courses', 1000, 'courses');
call app.limited_table('course_modules', 100, 'modules of one course', per => 'course_id');
call app.limited_table('help_translations', 100, 'translations of one article', per => 'article_id');
call app.limited_table('lessons', 500, 'lessons of one course', 'deleted_at is null', 'course_id');
call app.limited_table('product_variants', 100, 'variants of one product', 'deleted_at is null', 'product_id');
