-- locks: moderation_cases and members, for the moment in which foreign keys to them are made

-- What authors say against a decision about a post of theirs, once for each case.
create table appeals (
  project_id uuid not null,
  id uuid not null,
  case_id uuid not null,
  -- The author of the post.
  member_id uuid not null,
  text text not null check (char_length(text) between 1 and 2000),
  -- `upheld`: the post is or stays removed.
  decision text check (decision in ('upheld', 'overturned')),
  reason text,
  -- The public id of the key or member that decided.
  decided_by text,
  decided_at timestamptz,
  created_at timestamptz not null,
  primary key (project_id, id),
  constraint appeals_once_key unique (project_id, case_id),
  constraint appeals_decided check ((decision is null) = (decided_at is null)),
  constraint appeals_case_fkey foreign key (project_id, case_id)
    references moderation_cases (project_id, id) on delete cascade,
  constraint appeals_member_fkey foreign key (project_id, member_id) references members (project_id, id) on delete cascade
);
-- Those that wait are asked for by a condition that the index has.
create index appeals_open on appeals (project_id, case_id) where decision is null;
create index appeals_by_member on appeals (project_id, member_id);
call app.tenant_table('appeals');
