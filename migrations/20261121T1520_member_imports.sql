-- Members that come as a CSV. The file is an object below <project>/imports/<id>/ and goes when it is read.
create table member_imports (
  project_id uuid not null references projects (id) on delete cascade,
  id uuid not null,
  -- While the file arrives it is `receiving`, and nobody knows of it.
  state text not null default 'receiving' check (state in ('receiving', 'queued', 'running', 'completed', 'failed')),
  dry_run boolean not null default false,
  -- The header of the file.
  columns text[] not null default '{}',
  total_rows integer not null default 0,
  -- Rows that are dealt with. Written with what became of them, so that none is dealt with twice.
  processed_rows integer not null default 0,
  created integer not null default 0,
  faulty integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (project_id, id),
  constraint member_imports_finished check ((state in ('completed', 'failed')) = (finished_at is not null))
);
create index member_imports_by_created_at on member_imports (project_id, created_at);
call app.tenant_table('member_imports');

-- Rows of which no member became, as they came, and why.
create table member_import_faults (
  project_id uuid not null,
  import_id uuid not null,
  -- As spreadsheets count: the header is row 1.
  row integer not null,
  cells text[] not null,
  -- [{field, rule, message}]
  faults jsonb not null,
  primary key (project_id, import_id, row),
  foreign key (project_id, import_id) references member_imports (project_id, id) on delete cascade
);
call app.tenant_table('member_import_faults');

-- About whom an event is, so that the log of one member can be read.
alter table events add column member_id uuid;
create index events_of_member on events (project_id, member_id, id) where member_id is not null;
