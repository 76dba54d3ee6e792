-- Settings of areas are in tables of the areas. A project has one row of each at most; what is null there is as in every project
-- that has set nothing.
-- locks: projects against everybody, for the copy of its rows, 0.1 s at 10,000 projects
-- contract: the version before reads and sets these columns of projects; there was no release before this one
create table discussion_settings (
  project_id uuid not null,
  id uuid not null,
  -- So many reports hide a post until a moderator decides.
  report_threshold integer check (report_threshold between 1 and 1000),
  -- Where the project shows a discussion: mails lead there. `{id}` stands for its id.
  discussion_url text check (discussion_url ~ '^https?://' and discussion_url like '%{id}%'),
  primary key (project_id, id),
  constraint discussion_settings_project_key unique (project_id)
);
create table feedback_settings (
  project_id uuid not null,
  id uuid not null,
  -- Where the project shows an item of feedback: mails lead there. `{id}` stands for its id.
  feedback_url text check (feedback_url ~ '^https?://' and feedback_url like '%{id}%'),
  primary key (project_id, id),
  constraint feedback_settings_project_key unique (project_id)
);
create table profile_settings (
  project_id uuid not null,
  id uuid not null,
  -- Whether visitors without a log-in see profiles.
  profiles_public boolean,
  -- What a member without a display name is called: `full_name`, or `none` for "Member" and four letters of the id.
  display_name_from text check (display_name_from in ('none', 'full_name')),
  -- What profiles show besides the name.
  profile_fields text[] check (profile_fields <@ '{avatar_url,bio,badges,member_since}'),
  primary key (project_id, id),
  constraint profile_settings_project_key unique (project_id)
);
create table certificate_settings (
  project_id uuid not null,
  id uuid not null,
  -- Where the project shows certificates. `{code}` stands for the code.
  certificate_url text check (certificate_url ~ '^https?://' and certificate_url like '%{code}%'),
  primary key (project_id, id),
  constraint certificate_settings_project_key unique (project_id)
);

-- The owner of the tables sees the rows of all projects here.
alter table projects no force row level security;
insert into discussion_settings (project_id, id, report_threshold, discussion_url)
  select id, gen_random_uuid(), nullif(report_threshold, 3), discussion_url from projects
  where report_threshold <> 3 or discussion_url is not null;
insert into feedback_settings (project_id, id, feedback_url)
  select id, gen_random_uuid(), feedback_url from projects where feedback_url is not null;
insert into profile_settings (project_id, id, profiles_public, display_name_from, profile_fields)
  select id, gen_random_uuid(), nullif(profiles_public, false), nullif(display_name_from, 'none'),
    nullif(profile_fields, '{avatar_url,bio,badges,member_since}') from projects
  where profiles_public or display_name_from <> 'none' or profile_fields <> '{avatar_url,bio,badges,member_since}';
insert into certificate_settings (project_id, id, certificate_url)
  select id, gen_random_uuid(), certificate_url from projects where certificate_url is not null;
alter table projects force row level security;

call app.tenant_table('discussion_settings');
call app.tenant_table('feedback_settings');
call app.tenant_table('profile_settings');
call app.tenant_table('certificate_settings');

-- The active members whose shown name starts with a text: ids, in the order of names. A function of the tables' owner,
-- because PostgreSQL uses no index on an expression behind row-level security; it says itself whose rows it answers.
create or replace function app.members_named(prefix text, most integer) returns table (id uuid, place bigint)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
  begin atomic
    select found.id, row_number() over (order by found.name, found.id) from (
      (select p.id, p.name_key as name from profiles p
        join members m on m.project_id = p.project_id and m.id = p.id
        where p.project_id = app.current_project() and m.deleted_at is null and m.status = 'active'
          and p.name_key >= lower(normalize(prefix, nfkc)) and p.name_key < lower(normalize(prefix, nfkc)) || chr(1114111)
        order by p.name_key, p.id limit most)
      union all
      (select m.id, lower(normalize(m.full_name, nfkc)) collate "C" from members m
        where m.project_id = app.current_project() and m.deleted_at is null and m.status = 'active' and m.full_name <> ''
          and lower(normalize(m.full_name, nfkc)) collate "C" >= lower(normalize(prefix, nfkc))
          and lower(normalize(m.full_name, nfkc)) collate "C" < lower(normalize(prefix, nfkc)) || chr(1114111)
          and (select s.display_name_from from profile_settings s where s.project_id = app.current_project()) = 'full_name'
          and not exists (select from profiles p
            where p.project_id = m.project_id and p.id = m.id and p.display_name is not null)
        order by lower(normalize(m.full_name, nfkc)) collate "C", m.id limit most)
    ) found order by found.name, found.id limit most;
  end;

alter table projects
  drop column report_threshold,
  drop column discussion_url,
  drop column feedback_url,
  drop column profiles_public,
  drop column display_name_from,
  drop column profile_fields,
  drop column certificate_url;
