-- locks: projects against everybody, for the copy of its rows, 0.1 s at 10,000 projects
-- without: alter table projects drop column report_threshold
-- Until `20261126T0770` the version before reads and sets these columns of projects: what one version sets, the other one reads.
create function app.settings_to_projects() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp
as $$
begin
  if tg_table_name = 'discussion_settings' then
    update projects set report_threshold = coalesce(new.report_threshold, 3), discussion_url = new.discussion_url
      where id = new.project_id;
  elsif tg_table_name = 'feedback_settings' then
    update projects set feedback_url = new.feedback_url where id = new.project_id;
  elsif tg_table_name = 'profile_settings' then
    update projects set profiles_public = coalesce(new.profiles_public, false),
      display_name_from = coalesce(new.display_name_from, 'none'),
      profile_fields = coalesce(new.profile_fields, '{avatar_url,bio,badges,member_since}')
      where id = new.project_id;
  else
    update projects set certificate_url = new.certificate_url where id = new.project_id;
  end if;
  return null;
end $$;
create function app.settings_from_projects() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp
as $$
begin
  insert into discussion_settings as s (project_id, id, report_threshold, discussion_url)
    values (new.id, gen_random_uuid(), nullif(new.report_threshold, 3), new.discussion_url)
    on conflict (project_id) do update set report_threshold = excluded.report_threshold, discussion_url = excluded.discussion_url;
  insert into feedback_settings (project_id, id, feedback_url) values (new.id, gen_random_uuid(), new.feedback_url)
    on conflict (project_id) do update set feedback_url = excluded.feedback_url;
  insert into profile_settings (project_id, id, profiles_public, display_name_from, profile_fields)
    values (new.id, gen_random_uuid(), nullif(new.profiles_public, false), nullif(new.display_name_from, 'none'),
      nullif(new.profile_fields, '{avatar_url,bio,badges,member_since}'))
    on conflict (project_id) do update set profiles_public = excluded.profiles_public,
      display_name_from = excluded.display_name_from, profile_fields = excluded.profile_fields;
  insert into certificate_settings (project_id, id, certificate_url) values (new.id, gen_random_uuid(), new.certificate_url)
    on conflict (project_id) do update set certificate_url = excluded.certificate_url;
  return null;
end $$;
create trigger settings_to_projects after insert or update on discussion_settings
  for each row when (pg_trigger_depth() = 0) execute function app.settings_to_projects();
create trigger settings_to_projects after insert or update on feedback_settings
  for each row when (pg_trigger_depth() = 0) execute function app.settings_to_projects();
create trigger settings_to_projects after insert or update on profile_settings
  for each row when (pg_trigger_depth() = 0) execute function app.settings_to_projects();
create trigger settings_to_projects after insert or update on certificate_settings
  for each row when (pg_trigger_depth() = 0) execute function app.settings_to_projects();
create trigger settings_from_projects
  after update of report_threshold, discussion_url, feedback_url, profiles_public, display_name_from, profile_fields, certificate_url
  on projects for each row when (pg_trigger_depth() = 0) execute function app.settings_from_projects();
