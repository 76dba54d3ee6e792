-- locks: projects against everybody, for the copy of its rows, 0.1 s at 10,000 projects
-- without: alter table projects drop column analytics_retention_months
-- Until `20261126T0770` the version before reads and sets these columns of projects: what one version sets, the other one reads.
create function app.analytics_to_projects() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp
as $$
begin
  update projects set analytics_retention_months = coalesce(new.analytics_retention_months, 24),
    respect_do_not_track = coalesce(new.respect_do_not_track, false) where id = new.project_id;
  return null;
end $$;
create function app.analytics_from_projects() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp
as $$
begin
  insert into analytics_settings (project_id, id, analytics_retention_months, respect_do_not_track)
    values (new.id, gen_random_uuid(), nullif(new.analytics_retention_months, 24), nullif(new.respect_do_not_track, false))
    on conflict (project_id) do update set analytics_retention_months = excluded.analytics_retention_months,
      respect_do_not_track = excluded.respect_do_not_track;
  return null;
end $$;
create trigger analytics_to_projects after insert or update on analytics_settings
  for each row when (pg_trigger_depth() = 0) execute function app.analytics_to_projects();
create trigger analytics_from_projects after update of analytics_retention_months, respect_do_not_track on projects
  for each row when (pg_trigger_depth() = 0) execute function app.analytics_from_projects();
