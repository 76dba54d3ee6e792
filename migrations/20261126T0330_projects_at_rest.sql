-- locks: projects, events and webhook_deliveries for a moment

-- A project rests while an operator has suspended it, and from its deletion on until it is restored or removed. Both of its sides
-- rest together.
alter table projects
  add column suspended_at timestamptz,
  add column resumed_at timestamptz,
  add column deleted_at timestamptz;

-- Every API process keeps the projects that rest in memory, and listens here. The second notification is for the streams of the
-- project, and for its keys.
create function app.announce_project_state() returns trigger language plpgsql as $$
begin
  perform pg_notify('guildhall_project_states', old.id::text);
  perform pg_notify('guildhall_changes', old.id::text);
  return null;
end $$;
create trigger announce_project_state
  after delete or update of suspended_at, deleted_at on projects
  for each row execute function app.announce_project_state();

-- Whoever looks for due work of all projects leaves out those that rest.
create policy relay on projects for select to guildhall_relay using (true);
grant select (id, suspended_at, deleted_at) on projects to guildhall_relay;
create policy webhooks on projects for select to guildhall_webhooks using (true);
grant select (id, suspended_at, deleted_at) on projects to guildhall_webhooks;
grant select (suspended_at, resumed_at, deleted_at) on projects to guildhall_housekeeper;

-- What waits to be delivered is kept for as long as its project rests, and a week longer.
alter policy expired on events using (occurred_at < now() - interval '30 days' and project_id not in (
  select p.id from projects p
  where p.suspended_at is not null or p.deleted_at is not null or p.resumed_at > now() - interval '7 days'));
alter policy expired on webhook_deliveries using (created_at < now() - interval '30 days' and project_id not in (
  select p.id from projects p
  where p.suspended_at is not null or p.deleted_at is not null or p.resumed_at > now() - interval '7 days'));

-- The time in which a project rested does not count as time in which an endpoint failed.
grant select (project_id, failing_since), update (failing_since) on webhook_endpoints to guildhall_operator;

-- What operators did with projects. It belongs to the installation, so that it outlives the project; there are no words of members
-- in it.
create table project_acts (
  id uuid primary key,
  -- The live side of the project, which may be gone.
  live_id uuid not null,
  -- The name at the time.
  name text not null,
  action text not null check (action ~ '^project(\.[a-z_]+)+$'),
  -- The public id of the operator; null for the command on the server.
  actor_id text,
  ip text,
  reason text,
  before jsonb,
  after jsonb,
  created_at timestamptz not null default now()
);
create index project_acts_by_project on project_acts (live_id, id);
grant select, insert on project_acts to guildhall_operator;
