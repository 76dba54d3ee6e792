-- Files that are made of a project's data on request, such as a form's submissions or all that is held on a member. The
-- bytes are an object in the bucket, under <project>/<export>/<object>.
create table exports (
  project_id uuid not null,
  id uuid not null,
  -- What it is made of, such as form_submissions, and how: what of it, in the words of whoever makes it.
  kind text not null check (kind ~ '^[a-z][a-z_]{0,31}$'),
  params jsonb not null check (jsonb_typeof(params) = 'object'),
  -- What a key must be allowed to be shown it.
  permission text not null check (char_length(permission) between 1 and 64),
  format text not null check (format ~ '^[a-z]{1,16}$'),
  -- As it is saved by whoever reads it.
  file_name text not null check (char_length(file_name) between 1 and 255),
  content_type text not null check (char_length(content_type) between 1 and 255),
  status text not null default 'queued' check (status in ('queued', 'running', 'completed', 'failed', 'expired')),
  -- Written so far, and expected, where that is known.
  rows bigint not null default 0 check (rows >= 0),
  total_rows bigint check (total_rows >= 0),
  -- Bytes, once it is complete.
  size bigint check (size >= 0),
  -- Why it failed, for the customer.
  error text check (char_length(error) <= 500),
  -- Where whoever goes on begins: the parts that are stored, and what of the data is in them.
  checkpoint jsonb check (jsonb_typeof(checkpoint) = 'object'),
  -- Whose notes of progress count: those of the run that came last.
  run uuid,
  object_id uuid,
  -- Of a complete one when it is removed, of an unfinished one when it is given up.
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  completed_at timestamptz,
  -- Of members' archives, only the member that they are about.
  member_id uuid
    generated always as (case when kind = 'member_data' then (params ->> 'member_id')::uuid end) stored,
  primary key (project_id, id),
  constraint exports_completed check (status <> 'completed' or (object_id, size, completed_at) is not null),
  constraint exports_failed check ((status = 'failed') = (error is not null))
);
create index exports_by_expires_at on exports (expires_at);
create index exports_of_member on exports (project_id, member_id) where member_id is not null;
create index exports_unexpired on exports (project_id, expires_at) where status in ('queued', 'running', 'completed');
call app.tenant_table('exports');
create policy expired on exports to guildhall_housekeeper using (expires_at <= now());
grant select (project_id, status, expires_at), delete on exports to guildhall_housekeeper;
