-- Forms, their published versions, and what was submitted.

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
  created_at timestamptz not null,
  updated_at timestamptz not null,
  published_at timestamptz,
  -- Nobody sees it any more, and its submissions are being removed.
  deleted_at timestamptz,
  primary key (project_id, id),
  constraint forms_draft_has_no_version check ((status = 'draft') = (version = 0))
);
call app.tenant_table('forms');
call app.limited_table('forms', 500, 'forms', 'deleted_at is null');

-- What was published, for good: submissions were made against it.
create table form_versions (
  project_id uuid not null,
  form_id uuid not null,
  version integer not null check (version > 0),
  fields jsonb not null check (jsonb_typeof(fields) = 'array'),
  settings jsonb not null check (jsonb_typeof(settings) = 'object'),
  created_at timestamptz not null,
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

-- What a visitor or a member sent by a published version.
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
  created_at timestamptz not null,
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
create index form_submissions_search on form_submissions using gin (form_id, search_text gin_trgm_ops);
call app.tenant_table('form_submissions');

-- Submissions per form and status. The table is made here, because its rows go with their form; app.counted_table keeps it.
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
call app.counted_table('form_submissions', 'form_submission_counts', '{form_id,status}', 'submissions');

-- Lets the tables' owner read, for app.find_submissions (decision 0018).
do $$
begin
  execute format('create policy search on form_submissions for select to %I using (true)', current_user);
end $$;

-- One page of a form's submissions that have a text, in the order of their time, and how many there are, up to 10,001. It
-- finds them as `app.search_members` finds members. A page far back in a search that most submissions have is read along the
-- index: 0.8 s in place of 1.4 for a million.
create function app.find_submissions(
  sought_form uuid, pattern text, only_status text, since timestamptz, before timestamptz, only_member uuid,
  is_descending boolean, after_time timestamptz, after_id uuid, most integer, skipped bigint, counts boolean,
  out ids uuid[], out total bigint
) language plpgsql stable security definer
  set search_path = pg_catalog, public, pg_temp
  -- What all submissions have is sorted in memory.
  set work_mem = '160MB'
  set jit = off
  -- As app.search_members.
  set enable_seqscan = on
  set enable_hashjoin = on
  set enable_mergejoin = on
  set random_page_cost = 4
as $$
declare
  most_counted constant integer := 10000;
  -- Rows that are looked at along the index before all matches are sorted.
  most_walked constant integer := 4000;
  direction text := case when is_descending then 'desc' else 'asc' end;
  in_order text := format('created_at %s, id %s', direction, direction);
  rows_of_form text := concat_ws(' and ', 'project_id = $1 and form_id = $2 and status = $4',
    case when since is not null then 'created_at >= $5' end,
    case when before is not null then 'created_at < $6' end,
    case when only_member is not null then 'member_id = $7' end,
    case when after_id is not null then format('(created_at, id) %s ($8, $9)', case when is_descending then '<' else '>' end) end);
begin
  if counts then
    execute format(
      'with found as materialized (select id, created_at from form_submissions where %s and search_text like $3 limit %s)
       select (select count(*) from found), array(select id from found order by %s limit $10 offset $11)',
      rows_of_form, most_counted + 1, in_order)
      into total, ids
      using app.current_project(), sought_form, pattern, only_status, since, before, only_member, after_time, after_id,
        most, skipped;
    if total <= most_counted then return; end if;
  end if;
  if skipped + most <= most_walked / 2 then
    execute format(
      'select array(select id from (select id, created_at, search_text from form_submissions where %s order by %s limit %s) s
         where search_text like $3 order by %s limit $10 offset $11)',
      rows_of_form, in_order, most_walked, in_order)
      into ids
      using app.current_project(), sought_form, pattern, only_status, since, before, only_member, after_time, after_id,
        most, skipped;
    if cardinality(ids) = most then return; end if;
  end if;
  execute format(
    case when total > most_counted
      -- Of a text that many have, a page lies sooner along the index than all matches are sorted.
      then 'select array(select id from form_submissions where %s and (search_text || '''') like $3
        order by %s limit $10 offset $11)'
      -- `offset 0` keeps PostgreSQL from walking along the index again.
      else 'select array(select id from (select id, created_at from form_submissions where %s and search_text like $3 offset 0) s
        order by %s limit $10 offset $11)' end,
    rows_of_form, in_order)
    into ids
    using app.current_project(), sought_form, pattern, only_status, since, before, only_member, after_time, after_id,
      most, skipped;
end $$;
revoke execute on function app.find_submissions from public;
grant execute on function app.find_submissions to guildhall_api;
