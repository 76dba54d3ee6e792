-- Settings of analytics are in a table of the area, as those of other areas are. What is null there is as in every project that
-- has set nothing.
-- locks: projects against everybody, for the copy of its rows, 0.1 s at 10,000 projects
-- contract: the version before reads and sets these columns of projects; there was no release before this one
create table analytics_settings (
  project_id uuid not null,
  id uuid not null,
  -- So many months events are kept.
  analytics_retention_months integer check (analytics_retention_months between 1 and 120),
  -- Whether visitors who ask not to be tracked are not stored.
  respect_do_not_track boolean,
  primary key (project_id, id),
  constraint analytics_settings_project_key unique (project_id)
);

-- The owner of the tables sees the rows of all projects here.
alter table projects no force row level security;
insert into analytics_settings (project_id, id, analytics_retention_months, respect_do_not_track)
  select id, gen_random_uuid(), nullif(analytics_retention_months, 24), nullif(respect_do_not_track, false) from projects
  where analytics_retention_months <> 24 or respect_do_not_track;
alter table projects force row level security;

call app.tenant_table('analytics_settings');
create policy housekeeping on analytics_settings for select to guildhall_housekeeper using (true);
grant select (project_id, analytics_retention_months) on analytics_settings to guildhall_housekeeper;

alter table projects
  drop column analytics_retention_months,
  drop column respect_do_not_track;
