-- Forms as their builders see them. `fields` and `settings` are what is worked on; visitors meet a published version.
create table forms (
  project_id uuid not null,
  id uuid not null,
  name text not null check (char_length(name) between 1 and 200),
  description text not null default '',
  type text not null check (type in ('signup', 'contact', 'feedback', 'custom')),
  status text not null default 'draft' check (status in ('draft', 'published', 'archived')),
  fields jsonb not null default '[]' check (jsonb_typeof(fields) = 'array'),
  settings jsonb not null default '{}' check (jsonb_typeof(settings) = 'object'),
  -- The version that visitors meet: the latest. 0 until there is one.
  version integer not null default 0 check (version >= 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  published_at timestamptz,
  -- Nobody sees it any more, and its submissions are being removed.
  deleted_at timestamptz,
  primary key (project_id, id),
  constraint forms_draft_has_no_version check ((status = 'draft') = (version = 0))
);
call app.tenant_table('forms');

-- What was published, for good: submissions were made against it.
create table form_versions (
  project_id uuid not null,
  form_id uuid not null,
  version integer not null check (version > 0),
  fields jsonb not null check (jsonb_typeof(fields) = 'array'),
  settings jsonb not null check (jsonb_typeof(settings) = 'object'),
  created_at timestamptz not null default now(),
  primary key (project_id, form_id, version),
  constraint form_versions_form_fkey foreign key (project_id, form_id)
    references forms (project_id, id) on delete cascade
);
call app.tenant_table('form_versions');
revoke update, delete on form_versions from guildhall_api;

-- All values of a submission as one text in lower case, a line for each: what a search looks through. A column of its
-- own, because PostgreSQL uses no index on an expression behind row-level security.
create function app.submission_text(data jsonb) returns text
  language sql immutable strict parallel safe
  return (
    select coalesce(lower(string_agg(value #>> '{}', chr(10))), '')
    from jsonb_path_query(data, 'strict $.**') value
    where jsonb_typeof(value) in ('string', 'number', 'boolean')
  );

create table form_submissions (
  project_id uuid not null,
  id uuid not null,
  form_id uuid not null,
  form_version integer not null,
  -- What looks like spam is kept apart, and never lost.
  status text not null default 'received' check (status in ('received', 'spam')),
  -- Values by field id. Files are their ids; passwords are never here.
  data jsonb not null check (jsonb_typeof(data) = 'object'),
  member_id uuid,
  ip text not null default '',
  user_agent text not null default '',
  referrer text not null default '',
  -- Of the data and who sent it, where that is known: the same twice within a short time is a duplicate.
  digest bytea,
  search_text text generated always as (app.submission_text(data)) stored,
  created_at timestamptz not null default now(),
  primary key (project_id, id),
  constraint form_submissions_version_fkey foreign key (project_id, form_id, form_version)
    references form_versions (project_id, form_id, version),
  constraint form_submissions_member_fkey foreign key (project_id, member_id)
    references members (project_id, id) on delete set null (member_id)
);
-- A page in its order, an export from where it stopped.
create index form_submissions_by_created_at on form_submissions (project_id, form_id, status, created_at, id);
create index form_submissions_by_digest on form_submissions (project_id, form_id, digest, created_at)
  where digest is not null;
create index form_submissions_of_member on form_submissions (project_id, member_id) where member_id is not null;
call app.tenant_table('form_submissions');

-- Submissions per form and status, kept exact by the triggers below; slotted like member_counts.
create table form_submission_counts (
  project_id uuid not null,
  form_id uuid not null,
  status text not null,
  slot smallint not null default pg_backend_pid() % 64,
  submissions bigint not null,
  primary key (project_id, form_id, status, slot),
  constraint form_submission_counts_form_fkey foreign key (project_id, form_id)
    references forms (project_id, id) on delete cascade
) with (fillfactor = 50);
call app.tenant_table('form_submission_counts');

create function app.form_submissions_inserted() returns trigger language plpgsql as $$
begin
  insert into form_submission_counts as c (project_id, form_id, status, submissions)
    select project_id, form_id, status, count(*) from inserted
    group by project_id, form_id, status order by form_id, status
    on conflict (project_id, form_id, status, slot) do update set submissions = c.submissions + excluded.submissions;
  return null;
end $$;

create function app.form_submissions_deleted() returns trigger language plpgsql as $$
begin
  insert into form_submission_counts as c (project_id, form_id, status, submissions)
    select project_id, form_id, status, -count(*) from deleted
    group by project_id, form_id, status order by form_id, status
    on conflict (project_id, form_id, status, slot) do update set submissions = c.submissions + excluded.submissions;
  return null;
end $$;

create function app.form_submission_moved() returns trigger language plpgsql as $$
begin
  insert into form_submission_counts as c (project_id, form_id, status, submissions)
    select old.project_id, old.form_id, moved.status, moved.step
    from (values (old.status, -1), (new.status, 1)) as moved (status, step) order by moved.status
    on conflict (project_id, form_id, status, slot) do update set submissions = c.submissions + excluded.submissions;
  return null;
end $$;

create trigger form_submissions_inserted after insert on form_submissions
  referencing new table as inserted for each statement execute function app.form_submissions_inserted();
create trigger form_submissions_deleted after delete on form_submissions
  referencing old table as deleted for each statement execute function app.form_submissions_deleted();
create trigger form_submission_moved after update of status on form_submissions for each row
  when (old.status is distinct from new.status) execute function app.form_submission_moved();
