-- locks: none, the tables are new

-- Imports of all that was written in a community, from the file of an export.
create table community_imports (
  project_id uuid not null references projects (id) on delete cascade,
  id uuid not null,
  -- The uploaded file. No foreign key: a file that is deleted fails the import.
  file_id uuid not null,
  state text not null default 'queued' check (state in ('queued', 'running', 'completed', 'failed')),
  dry_run boolean not null,
  -- Lines that are handled. Written with what became of them, so that none is handled twice.
  lines integer not null default 0,
  created integer not null default 0,
  faulty integer not null default 0,
  -- Why it failed, for the customer.
  error text check (char_length(error) <= 500),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (project_id, id),
  constraint community_imports_finished check ((state in ('completed', 'failed')) = (finished_at is not null))
);
create index community_imports_by_finish on community_imports (project_id, finished_at);
call app.tenant_table('community_imports');

-- Lines of which nothing was made, and why.
create table community_import_faults (
  project_id uuid not null,
  import_id uuid not null,
  line integer not null,
  type text not null,
  -- [{field, rule, message}]
  faults jsonb not null,
  primary key (project_id, import_id, line),
  foreign key (project_id, import_id) references community_imports (project_id, id) on delete cascade
);
call app.tenant_table('community_import_faults');

-- What each id of a file has become in the project.
create table community_import_ids (
  project_id uuid not null,
  import_id uuid not null,
  type text not null,
  -- As stored: the id in the file, and the one here.
  old_id uuid not null,
  new_id uuid not null,
  -- What it is in: the discussion of a comment, by its id here.
  within uuid,
  primary key (project_id, import_id, type, old_id),
  foreign key (project_id, import_id) references community_imports (project_id, id) on delete cascade
);
-- The map that customers read.
create index community_import_ids_changed on community_import_ids (project_id, import_id, type, old_id)
  where old_id <> new_id;
call app.tenant_table('community_import_ids');
