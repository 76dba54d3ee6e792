-- The active members of whose shown name one of the first three words starts with a text: ids, those whose first word does before
-- others, then in the order of names. A function of the tables' owner, because PostgreSQL uses no index on an expression behind
-- row-level security; it says itself whose rows it answers.
create or replace function app.members_named(prefix text, most integer) returns table (id uuid, place bigint)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
  begin atomic
    select once.id, row_number() over (order by once.word, once.name, once.id) from (
      select distinct on (each.id) each.id, each.word, each.name from (
      (select p.id, 1 as word, app.name_from_word(p.display_name, 1) collate "C" as name from profiles p
        join members m on m.project_id = p.project_id and m.id = p.id
        where p.project_id = app.current_project() and m.deleted_at is null and m.status = 'active'
          and app.name_from_word(p.display_name, 1) is not null
          and app.name_from_word(p.display_name, 1) collate "C" >= app.name_from_word(prefix, 1)
          and app.name_from_word(p.display_name, 1) collate "C" < app.name_from_word(prefix, 1) || chr(1114111)
        order by app.name_from_word(p.display_name, 1) collate "C", p.id limit most)
      union all
      (select p.id, 2 as word, app.name_from_word(p.display_name, 2) collate "C" as name from profiles p
        join members m on m.project_id = p.project_id and m.id = p.id
        where p.project_id = app.current_project() and m.deleted_at is null and m.status = 'active'
          and app.name_from_word(p.display_name, 2) is not null
          and app.name_from_word(p.display_name, 2) collate "C" >= app.name_from_word(prefix, 1)
          and app.name_from_word(p.display_name, 2) collate "C" < app.name_from_word(prefix, 1) || chr(1114111)
        order by app.name_from_word(p.display_name, 2) collate "C", p.id limit most)
      union all
      (select p.id, 3 as word, app.name_from_word(p.display_name, 3) collate "C" as name from profiles p
        join members m on m.project_id = p.project_id and m.id = p.id
        where p.project_id = app.current_project() and m.deleted_at is null and m.status = 'active'
          and app.name_from_word(p.display_name, 3) is not null
          and app.name_from_word(p.display_name, 3) collate "C" >= app.name_from_word(prefix, 1)
          and app.name_from_word(p.display_name, 3) collate "C" < app.name_from_word(prefix, 1) || chr(1114111)
        order by app.name_from_word(p.display_name, 3) collate "C", p.id limit most)
      union all
      (select m.id, 1 as word, app.name_from_word(m.full_name, 1) collate "C" as name from members m
        where m.project_id = app.current_project() and m.deleted_at is null and m.status = 'active'
          and app.name_from_word(m.full_name, 1) is not null
          and app.name_from_word(m.full_name, 1) collate "C" >= app.name_from_word(prefix, 1)
          and app.name_from_word(m.full_name, 1) collate "C" < app.name_from_word(prefix, 1) || chr(1114111)
          and (select s.display_name_from from profile_settings s where s.project_id = app.current_project()) = 'full_name'
          and not exists (select from profiles p
            where p.project_id = m.project_id and p.id = m.id and p.display_name is not null)
        order by app.name_from_word(m.full_name, 1) collate "C", m.id limit most)
      union all
      (select m.id, 2 as word, app.name_from_word(m.full_name, 2) collate "C" as name from members m
        where m.project_id = app.current_project() and m.deleted_at is null and m.status = 'active'
          and app.name_from_word(m.full_name, 2) is not null
          and app.name_from_word(m.full_name, 2) collate "C" >= app.name_from_word(prefix, 1)
          and app.name_from_word(m.full_name, 2) collate "C" < app.name_from_word(prefix, 1) || chr(1114111)
          and (select s.display_name_from from profile_settings s where s.project_id = app.current_project()) = 'full_name'
          and not exists (select from profiles p
            where p.project_id = m.project_id and p.id = m.id and p.display_name is not null)
        order by app.name_from_word(m.full_name, 2) collate "C", m.id limit most)
      union all
      (select m.id, 3 as word, app.name_from_word(m.full_name, 3) collate "C" as name from members m
        where m.project_id = app.current_project() and m.deleted_at is null and m.status = 'active'
          and app.name_from_word(m.full_name, 3) is not null
          and app.name_from_word(m.full_name, 3) collate "C" >= app.name_from_word(prefix, 1)
          and app.name_from_word(m.full_name, 3) collate "C" < app.name_from_word(prefix, 1) || chr(1114111)
          and (select s.display_name_from from profile_settings s where s.project_id = app.current_project()) = 'full_name'
          and not exists (select from profiles p
            where p.project_id = m.project_id and p.id = m.id and p.display_name is not null)
        order by app.name_from_word(m.full_name, 3) collate "C", m.id limit most)
      ) each order by each.id, each.word
    ) once order by once.word, once.name, once.id limit most;
  end;
