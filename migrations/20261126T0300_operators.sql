-- locks: only projects, for the moment in which a row is added to it

-- Operators are members of this project, so they log in as members of any project do. It has one side, no keys, and is not listed.
-- Its id is known to the code (packages/platform/src/operators/operators-project.ts).
select set_config('app.project_id', '01a00000-0000-7000-8000-0000000000aa', true);
insert into projects (id, live_id, environment, name, tier, email_confirmation)
  values ('01a00000-0000-7000-8000-0000000000aa', '01a00000-0000-7000-8000-0000000000aa', 'live', 'Guildhall console', 'enterprise', true);
with plan as (
  insert into plans (id, name, slug, is_default, visibility, created_at, updated_at)
    values ('01a00000-0000-7000-8000-0000000000ab', 'Operator', 'operator', true, 'hidden', now(), now()) returning id
)
insert into plan_versions (id, plan_id, version, price_minor, currency, interval, interval_count, created_at)
  select '01a00000-0000-7000-8000-0000000000ac', id, 1, 0, 'usd', 'free', 1, now() from plan;
select set_config('app.project_id', '', true);

-- Who works on a project in the console. The rows belong to the live side; a role counts for both sides.
create table team_members (
  project_id uuid not null,
  -- The operator: a member of the project of operators. No foreign key, because that is another tenant.
  id uuid not null,
  -- Another one with each role: tokens name it, so that those of a former role end.
  grant_id uuid not null default gen_random_uuid(),
  role text not null check (role in ('viewer', 'admin', 'owner')),
  -- The public id of the operator who gave the role.
  added_by text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (project_id, id)
);
create index team_members_by_operator on team_members (id);
call app.tenant_table('team_members');
call app.limited_table('team_members', 200, 'team members');
-- An operator's projects are looked up across all of them, and a token's role before its project is entered.
create policy operators on team_members for select to guildhall_operator using (true);
grant select, insert on team_members to guildhall_operator;
create policy role_lookup on team_members for select to guildhall_keys using (true);
grant select (project_id, id, grant_id) on team_members to guildhall_keys;

-- Every API process refuses tokens of a role that ended within a second.
create function app.announce_ended_role() returns trigger language plpgsql as $$
begin
  perform pg_notify('guildhall_ended_roles', old.grant_id::text);
  return null;
end $$;
create trigger announce_end after update of grant_id on team_members for each row
  when (old.grant_id is distinct from new.grant_id) execute function app.announce_ended_role();
create trigger announce_deletion after delete on team_members for each row execute function app.announce_ended_role();

-- Whom an owner has asked to join a team, until they do. Whoever has confirmed the address may accept.
create table team_invitations (
  project_id uuid not null,
  id uuid not null,
  invitee text not null check (char_length(invitee) <= 254),
  -- The same address in lower case.
  invitee_key text not null,
  role text not null check (role in ('viewer', 'admin', 'owner')),
  -- The public id of the operator who asked.
  invited_by text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (project_id, id)
);
create unique index team_invitations_invitee_key on team_invitations (project_id, invitee_key);
create index team_invitations_by_invitee on team_invitations (invitee_key);
call app.tenant_table('team_invitations');
call app.limited_table('team_invitations', 100, 'invitations to the team');
create policy operators on team_invitations for select to guildhall_operator using (true);
grant select on team_invitations to guildhall_operator;

-- A project that is made in the console has an owner and an entry of its audit log from the first moment on.
grant insert on audit_log to guildhall_operator;
