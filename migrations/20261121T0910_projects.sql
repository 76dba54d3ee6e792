-- A project is the unit of isolation. Operators see one project with two environments; here they are two rows, and
-- `live_id` names the pair by its live row.
create table projects (
  id uuid primary key,
  live_id uuid not null references projects (id) on delete cascade,
  environment text not null check (environment in ('live', 'test')),
  name text not null check (char_length(name) between 1 and 120),
  tier text not null check (tier in ('free', 'pro', 'business', 'enterprise')),
  -- Requests per minute of each key where the tier does not decide it (enterprise).
  rate_limit integer check (rate_limit > 0),
  email_confirmation boolean not null default false,
  allowed_redirect_urls text[] not null default '{}',
  allowed_origins text[] not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint projects_environment_key unique (live_id, environment),
  constraint projects_live_row check ((environment = 'live') = (id = live_id))
);

alter table projects enable row level security;
alter table projects force row level security;
create policy tenant on projects using (id = (select app.current_project()));
create policy operators on projects to guildhall_operator using (true) with check (true);
create policy key_lookup on projects for select to guildhall_keys using (true);
grant select on projects to guildhall_api, guildhall_keys;
grant select, insert, update on projects to guildhall_operator;

create table api_keys (
  project_id uuid not null references projects (id) on delete cascade,
  id uuid not null,
  name text not null check (char_length(name) between 1 and 120),
  type text not null check (type in ('public', 'secret')),
  prefix text not null,
  key_hash bytea not null,
  permissions text[] not null default '{}',
  capabilities text[] not null default '{}',
  allowed_ips text[] not null default '{}',
  allowed_origins text[] not null default '{}',
  created_by text,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  primary key (project_id, id),
  constraint api_keys_hash_key unique (key_hash)
);
call app.tenant_table('api_keys');

-- A key is looked up before its project is known, and its use is recorded for many projects at once: the only two
-- things that this role may do.
create policy key_lookup on api_keys for select to guildhall_keys using (true);
create policy key_usage on api_keys for update to guildhall_keys using (true) with check (true);
grant select, update (last_used_at) on api_keys to guildhall_keys;

-- Every API process keeps keys in memory and listens here for the id, of a key or a project, that it must forget.
-- Usage stamps (last_used_at) are not news.
create function app.announce_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('guildhall_changes', old.id::text);
  return null;
end $$;

create trigger announce_change
  after delete or update of permissions, capabilities, allowed_ips, allowed_origins, expires_at, revoked_at on api_keys
  for each row execute function app.announce_change();
create trigger announce_change
  after delete or update of tier, rate_limit, email_confirmation, allowed_redirect_urls, allowed_origins on projects
  for each row execute function app.announce_change();
