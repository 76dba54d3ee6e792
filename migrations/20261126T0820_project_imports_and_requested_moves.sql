-- locks: owner_workers for a moment

-- Whole projects that administrators of the installation bring in by the console: an archive is uploaded, and a worker with the login of
-- the owner reads it.
create table project_imports (
  id uuid primary key,
  state text not null default 'uploading' check (state in ('uploading', 'queued', 'running', 'done', 'failed')),
  -- Bytes of the archive.
  size bigint not null check (size > 0),
  -- Under which secrets are sealed in the archive; forgotten when the import has ended.
  sealed_passphrase bytea,
  -- The public id of the operator, and the address.
  asked_by text not null,
  ip inet,
  asked_at timestamptz not null default now(),
  -- Without its archive the import fails then.
  upload_until timestamptz not null,
  -- Runs that were begun: one that ended with its worker is begun anew.
  attempts int not null default 0,
  ended_at timestamptz,
  error text,
  -- The project, and how many rows, tables, files and bytes came with it.
  report jsonb,
  constraint project_imports_ended check ((state in ('done', 'failed')) = (ended_at is not null)),
  constraint project_imports_sealed check ((ended_at is null) = (sealed_passphrase is not null))
);
create index project_imports_open on project_imports (asked_at, id) where ended_at is null;
create index project_imports_newest on project_imports (asked_at desc, id desc);
grant insert, select (id, state, size, asked_by, asked_at, upload_until, ended_at, error, report), update (state) on project_imports to guildhall_operator;
grant select, update (state, sealed_passphrase, attempts, ended_at, error, report) on project_imports to guildhall_housekeeper;

-- Moves to other cells that administrators have asked for in the console. What is done is in project_moves.
create table requested_moves (
  id uuid primary key,
  live_id uuid not null,
  -- At the time of the request.
  name text not null,
  cell text not null,
  -- Whether it is only said what stands in the way and how much there is to copy.
  dry_run boolean not null,
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed')),
  asked_by text not null,
  ip inet,
  asked_at timestamptz not null default now(),
  attempts int not null default 0,
  ended_at timestamptz,
  error text,
  -- The plan of a dry run, or what the move has done.
  report jsonb,
  constraint requested_moves_ended check ((state in ('queued', 'running')) = (ended_at is null))
);
create unique index requested_moves_under_way on requested_moves (live_id) where ended_at is null;
create index requested_moves_of on requested_moves (live_id, asked_at desc, id desc);
grant insert, select (id, live_id, name, cell, dry_run, state, asked_by, asked_at, ended_at, error, report) on requested_moves to guildhall_operator;
grant select, update (state, attempts, ended_at, error, report) on requested_moves to guildhall_housekeeper;

-- The cells whose environment that worker has.
alter table owner_workers add column cells text[] not null default '{}';
grant update (cells) on owner_workers to guildhall_housekeeper;
