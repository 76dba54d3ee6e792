-- locks: installation for a moment

-- What is sealed in a project is sealed with a key of the project, and this key alone with SECRET_KEY (decision 0030). A new SECRET_KEY wraps
-- these rows anew, and nothing else.
create table project_keys (
  id uuid primary key references projects (id) on delete cascade,
  -- Sealed with SECRET_KEY, for the id of the project.
  wrapped bytea not null,
  -- It seals a minute later, when every process knows it.
  created_at timestamptz not null default now(),
  -- When all that was sealed with SECRET_KEY itself had been sealed anew with this key.
  resealed_at timestamptz
);
alter table project_keys enable row level security;
create policy readable on project_keys for select to guildhall_keys, guildhall_relay using (true);
grant select (id, wrapped, created_at) on project_keys to guildhall_keys, guildhall_relay;
create policy keeping on project_keys to guildhall_housekeeper using (true) with check (true);
grant select, insert, update (resealed_at) on project_keys to guildhall_housekeeper;
create index project_keys_by_created_at on project_keys (created_at);

alter table installation
  -- What is sealed of no project has a key of the installation.
  add column wrapped_key bytea,
  add column wrapped_at timestamptz,
  -- Since when there are keys of projects. Processes of before them cannot open what these seal, so that an operator says when none
  -- runs any more; an installation that is made anew has them from its first day.
  add column sealed_by_project_since timestamptz;
grant select (wrapped_key, wrapped_at) on installation to guildhall_keys, guildhall_relay;
create policy keys on installation for select to guildhall_keys using (true);
grant select (key_fingerprint, wrapped_key, wrapped_at, sealed_by_project_since), update (wrapped_key, wrapped_at) on installation to guildhall_housekeeper;
create policy keeping on installation for update to guildhall_housekeeper using (true) with check (true);
-- Signing keys are sealed anew.
grant update (private_key) on signing_keys to guildhall_housekeeper;
