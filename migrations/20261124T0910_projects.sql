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
  -- Bytes that a project may store, where its tier does not decide it.
  storage_quota bigint check (storage_quota >= 0),
  -- Members with one of these roles moderate with their own token.
  moderator_roles text[] not null default '{admin,moderator}',
  -- So many reports hide a post until a moderator decides.
  report_threshold integer not null default 3 check (report_threshold between 1 and 1000),
  -- A project's day is its zone's day.
  timezone text not null default 'UTC' check (char_length(timezone) between 1 and 64),
  analytics_retention_months integer not null default 24 check (analytics_retention_months between 1 and 120),
  respect_do_not_track boolean not null default false,
  -- Where a project shows its discussions and its feedback: mails lead there. `{id}` stands for the id.
  discussion_url text check (discussion_url ~ '^https?://' and discussion_url like '%{id}%'),
  feedback_url text check (feedback_url ~ '^https?://' and feedback_url like '%{id}%'),
  -- Limits that an operator sets for one environment: requests per minute by name. What is left out is as the tier or the
  -- default says (packages/platform/src/keys/rate-limits.ts).
  own_limits jsonb not null default '{}'
    constraint projects_own_limits check (jsonb_typeof(own_limits) = 'object'),
  constraint projects_environment_key unique (live_id, environment),
  constraint projects_live_row check ((environment = 'live') = (id = live_id))
);
alter table projects enable row level security;
alter table projects force row level security;
create policy tenant on projects using (id = (select app.current_project()));
create policy operators on projects to guildhall_operator using (true) with check (true);
create policy key_lookup on projects for select to guildhall_keys using (true);
create policy housekeeping on projects for select to guildhall_housekeeper using (true);
grant select on projects to guildhall_api, guildhall_keys;
grant select, insert, update on projects to guildhall_operator;
-- Whom there is to look after.
grant select (id, created_at, analytics_retention_months) on projects to guildhall_housekeeper;

-- Every API process keeps keys in memory and listens here for the id, of a key or a project, that it must forget.
create function app.announce_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('guildhall_changes', old.id::text);
  return null;
end $$;

create trigger announce_change
  after delete or update of tier, rate_limit, own_limits, email_confirmation, allowed_redirect_urls, allowed_origins on projects
  for each row execute function app.announce_change();

-- A member's token names no key: processes keep the limits of members by project.
create function app.announce_member_limit() returns trigger language plpgsql as $$
begin
  perform pg_notify('guildhall_member_limits', new.id::text);
  return null;
end $$;
create trigger announce_member_limit
  after update of own_limits on projects
  for each row when (new.own_limits is distinct from old.own_limits)
  execute function app.announce_member_limit();

-- How far a project's clock was moved by its test clock. A project without a row goes by the real time (decision 0008).
create table project_clocks (
  project_id uuid not null,
  -- The project's own: there is one clock for each.
  id uuid not null default app.current_project(),
  moved_by_ms bigint not null check (moved_by_ms >= 0),
  updated_at timestamptz not null default now(),
  primary key (project_id, id)
);
call app.tenant_table('project_clocks');

-- Looks the clock up each time. It is asked where a transaction has not said how far the clock is moved: by operators' tools. A test clock
-- that is being moved names its steps in `app.clock`.
create function app.project_now_looked_up() returns timestamptz
  language plpgsql stable parallel safe
as $$
begin
  if current_setting('app.clock', true) <> '' then
    return current_setting('app.clock')::timestamptz;
  end if;
  return now() + coalesce(
    (select moved_by_ms from project_clocks where project_id = app.current_project()), 0) * interval '1 millisecond';
end $$;

-- The time of the current project, the same for all of a transaction, as now() is. `app.clock_moved` holds microseconds.
-- Ask for it as `(select app.project_now())`, so that it is evaluated once per statement; it is inlined there.
create function app.project_now() returns timestamptz
  language sql stable parallel safe
  return coalesce(
    now() + nullif(current_setting('app.clock_moved', true), '')::float8 * interval '1 microsecond',
    app.project_now_looked_up());

-- Begins the work of a transaction in a project: whose rows it sees, and by how much the clock is moved, once. So all statements of the
-- transaction go by the same time, and a live side, whose clock never moves, looks nothing up. It answers which side the project is, null
-- for a project that there is not: a process remembers the live ones and asks no more.
create function app.enter_project(project text, out project_id text, out environment text)
  language plpgsql
as $$
begin
  project_id := set_config('app.project_id', project, true);
  select p.environment into environment from projects p where p.id = project::uuid;
  perform set_config('app.clock_moved', coalesce(
    (select c.moved_by_ms * 1000 from project_clocks c where c.project_id = project::uuid), 0)::text, true);
end $$;

-- Who did what to a project's settings, keys, roles, money and content: written in the transaction of the change, only
-- ever added to. It holds ids and settings, no words of members, so that nothing in it has to be forgotten.
create table audit_log (
  project_id uuid not null,
  id uuid not null,
  -- What kind of credential acted, and its public id where it has one.
  actor_kind text not null check (actor_kind in ('secret_key', 'public_key', 'member', 'operator', 'system')),
  actor_id text,
  -- The public id of the member for whom a key acted.
  on_behalf_of text,
  -- From where; null where it is not known.
  ip text,
  action text not null check (action ~ '^[a-z_]+(\.[a-z_]+)+$'),
  -- The public id of what was changed.
  target text not null,
  reason text,
  before jsonb,
  after jsonb,
  created_at timestamptz not null default now(),
  primary key (project_id, id)
);
create index audit_log_by_target on audit_log (project_id, target, id);
create index audit_log_by_actor on audit_log (project_id, actor_id, id) where actor_id is not null;
call app.tenant_table('audit_log');
revoke update, delete on audit_log from guildhall_api;
