-- locks: only members, for the moment in which foreign keys to it are made

-- Members who do not want to hear of each other: what the one writes is folded for the other, and neither is told of the other.
create table mutes (
  project_id uuid not null,
  id uuid not null,
  -- Who does not want to hear.
  member_id uuid not null,
  -- Of whom.
  muted_id uuid not null,
  created_at timestamptz not null,
  primary key (project_id, id),
  constraint mutes_once_key unique (project_id, member_id, muted_id),
  constraint mutes_member_fkey foreign key (project_id, member_id) references members (project_id, id) on delete cascade,
  constraint mutes_muted_fkey foreign key (project_id, muted_id) references members (project_id, id) on delete cascade
);
create index mutes_of_member on mutes (project_id, member_id, id);
create index mutes_by_muted on mutes (project_id, muted_id);
call app.tenant_table('mutes');
call app.limited_table('mutes', 1000, 'mutes of one member', per => 'member_id');
