-- Files that customers keep, what refers to them, and how much a project may store.

-- Bytes that the current project may store: its own quota, or that of its tier.
create function app.storage_quota() returns bigint
  language sql stable parallel safe
  return (
    select coalesce(storage_quota, case tier
      when 'free' then 1 when 'pro' then 100 when 'business' then 1024 else 10240
    end * 1073741824::bigint)
    from projects where id = app.current_project()
  );

-- What customers keep here. The bytes are objects in a bucket, under keys made of ids: <project>/<file>/<object>.
create table files (
  project_id uuid not null,
  id uuid not null,
  name text not null check (char_length(name) between 1 and 255),
  -- Counted; of a pending upload what was announced, which is reserved, or 0.
  size bigint not null check (size between 0 and 5497558138880),
  -- As the bytes show it; of a pending upload what was announced.
  content_type text not null check (char_length(content_type) between 1 and 255),
  checksum_sha256 text check (checksum_sha256 ~ '^[0-9a-f]{64}$'),
  visibility text not null default 'private' check (visibility in ('private', 'public')),
  owner_id uuid,
  status text not null default 'pending' check (status in ('pending', 'ready')),
  -- The last part of the key. Set when the bytes are known and never changed: nobody can write there any more.
  object_id uuid,
  -- Of an upload that goes past us: how long its URL takes bytes.
  upload_expires_at timestamptz,
  -- When somebody has to look at it: an upload that was not completed, or a file that nothing refers to yet. Null: kept.
  due_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (project_id, id),
  constraint files_ready check ((status = 'ready') = (object_id is not null)),
  constraint files_sealed check ((status = 'ready') = (checksum_sha256 is not null)),
  constraint files_pending_is_due check (status = 'ready' or due_at is not null),
  constraint files_owner_fkey foreign key (project_id, owner_id) references members (project_id, id)
    on delete set null (owner_id)
) with (fillfactor = 90);
create index files_of_owner on files (project_id, owner_id) where owner_id is not null;
create index files_by_due_at on files (due_at) where due_at is not null;
call app.tenant_table('files');
create policy due on files for select to guildhall_housekeeper using (due_at <= now());
grant select (project_id, due_at) on files to guildhall_housekeeper;

-- What refers to a file, such as a form's submission or a member's avatar. A file that something refers to is kept.
create table file_attachments (
  project_id uuid not null,
  file_id uuid not null,
  target_kind text not null check (target_kind ~ '^[a-z][a-z_]{0,31}$'),
  target_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (project_id, file_id, target_kind, target_id),
  constraint file_attachments_file_fkey foreign key (project_id, file_id)
    references files (project_id, id) on delete cascade
);
create index file_attachments_by_target on file_attachments (project_id, target_kind, target_id);
call app.tenant_table('file_attachments');

-- Bytes that a project has stored or reserved, kept exact by the trigger below. One row per project, and whoever adds to
-- it waits for whoever does already, so that many uploads at once cannot pass the quota together.
create table storage_usage (
  project_id uuid not null,
  kind text not null,
  files bigint not null default 0,
  bytes bigint not null default 0,
  primary key (project_id, kind)
) with (fillfactor = 50);
call app.tenant_table('storage_usage');

create function app.file_changed() returns trigger language plpgsql as $$
declare
  more_files bigint := (case when new.status = 'ready' then 1 else 0 end) - (case when old.status = 'ready' then 1 else 0 end);
  more_bytes bigint := coalesce(new.size, 0) - coalesce(old.size, 0);
  held bigint;
begin
  if more_files = 0 and more_bytes = 0 then
    return null;
  end if;
  insert into storage_usage as u (project_id, kind, files, bytes)
    values (coalesce(new.project_id, old.project_id), 'files', more_files, more_bytes)
    on conflict (project_id, kind) do update set files = u.files + excluded.files, bytes = u.bytes + excluded.bytes
    returning bytes into held;
  if more_bytes > 0 and held > app.storage_quota() then
    raise exception 'the storage quota of the project is used up'
      using errcode = 'check_violation', constraint = 'storage_quota';
  end if;
  return null;
end $$;
create trigger file_changed after insert or delete or update of size, status on files
  for each row execute function app.file_changed();
