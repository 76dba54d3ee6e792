-- locks: nothing that is there

-- Exports of whole projects that administrators of the installation have asked for in the console. A worker with the login of the owner
-- makes them, because no other login sees all rows.
create table project_exports (
  id uuid primary key,
  live_id uuid not null,
  -- At the time of the request.
  name text not null,
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed')),
  -- Under which secrets are sealed in the archive; forgotten when the export has ended.
  sealed_passphrase bytea,
  -- The public id of the operator, and the address.
  asked_by text not null,
  ip inet,
  asked_at timestamptz not null default now(),
  -- Runs that were begun: one that ended with its worker is begun anew.
  attempts int not null default 0,
  ended_at timestamptz,
  error text,
  -- Rows, tables, files and their bytes.
  report jsonb,
  -- The archive is removed then.
  expires_at timestamptz,
  constraint project_exports_ended check ((state in ('queued', 'running')) = (ended_at is null)),
  constraint project_exports_sealed check ((ended_at is null) = (sealed_passphrase is not null))
);
create unique index project_exports_under_way on project_exports (live_id) where ended_at is null;
create index project_exports_of on project_exports (live_id, asked_at desc, id desc);
grant insert, select (id, live_id, name, state, asked_by, asked_at, ended_at, error, report, expires_at) on project_exports to guildhall_operator;
grant select, update (state, sealed_passphrase, attempts, ended_at, error, report, expires_at) on project_exports to guildhall_housekeeper;

-- When a worker last said that it has the login of the owner.
create table owner_workers (
  only_one boolean primary key default true check (only_one),
  seen_at timestamptz not null
);
grant select on owner_workers to guildhall_operator;
grant select, insert, update (seen_at) on owner_workers to guildhall_housekeeper;
