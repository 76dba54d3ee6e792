-- locks: only members, for the moment in which a foreign key to it is made

-- Members who may not write for others to see, for a time.
create table suspensions (
  project_id uuid not null,
  -- The member.
  id uuid not null,
  -- For the member to read.
  reason text not null check (char_length(reason) between 1 and 500),
  -- Null until a moderator ends it.
  until timestamptz,
  -- The public id of the key or member that decided.
  suspended_by text,
  created_at timestamptz not null,
  primary key (project_id, id),
  constraint suspensions_member_fkey foreign key (project_id, id) references members (project_id, id) on delete cascade
);
create index suspensions_by_end on suspensions (project_id, until) where until is not null;
call app.tenant_table('suspensions');
