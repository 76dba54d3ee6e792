-- What members show of themselves beside what they write. Apart from `members`, so that a change of a bio does not change the member.
create table profiles (
  project_id uuid not null,
  -- The member.
  id uuid not null,
  display_name text check (length(display_name) between 1 and 50),
  -- Names that start alike stand together: completion of mentions reads ten of them.
  name_key text collate "C" generated always as (lower(normalize(display_name, nfkc))) stored,
  -- The same for all names that look alike.
  name_skeleton text,
  bio text check (length(bio) between 1 and 500),
  avatar_file_id uuid,
  updated_at timestamptz not null default now(),
  primary key (project_id, id),
  constraint profiles_member_fkey foreign key (project_id, id) references members (project_id, id) on delete cascade,
  constraint profiles_avatar_fkey foreign key (project_id, avatar_file_id)
    references files (project_id, id) on delete set null (avatar_file_id)
);
create index profiles_by_name on profiles (project_id, name_key, id) where name_key is not null;
create index profiles_by_skeleton on profiles (project_id, name_skeleton, id) where name_skeleton is not null;
create index profiles_by_avatar on profiles (project_id, avatar_file_id) where avatar_file_id is not null;
call app.tenant_table('profiles');

alter table projects
  -- Whether visitors without a log-in see profiles.
  add column profiles_public boolean not null default false,
  -- What a member without a display name is called: `full_name`, or `none` for "Member" and four letters of the id.
  add column display_name_from text not null default 'none' check (display_name_from in ('none', 'full_name')),
  -- What profiles show besides the name.
  add column profile_fields text[] not null default '{avatar_url,bio,badges,member_since}'
    check (profile_fields <@ '{avatar_url,bio,badges,member_since}');

-- Projects that show full names complete mentions by them.
create index members_by_name_prefix on members
  (project_id, (lower(normalize(full_name, nfkc)) collate "C"), id) where deleted_at is null and status = 'active' and full_name <> '';

-- The active members whose shown name starts with a text: ids, in the order of names. A function of the tables' owner,
-- because PostgreSQL uses no index on an expression behind row-level security; it says itself whose rows it answers.
create function app.members_named(prefix text, most integer) returns table (id uuid, place bigint)
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
          and (select display_name_from from projects where projects.id = app.current_project()) = 'full_name'
          and not exists (select from profiles p
            where p.project_id = m.project_id and p.id = m.id and p.display_name is not null)
        order by lower(normalize(m.full_name, nfkc)) collate "C", m.id limit most)
    ) found order by found.name, found.id limit most;
  end;
revoke execute on function app.members_named from public;
grant execute on function app.members_named to guildhall_api;

do $$
begin
  -- The owner's function reads the rows of every project, and filters them itself.
  execute format('create policy names on profiles for select to %I using (true)', current_user);
end $$;
