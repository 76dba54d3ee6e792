-- What gives members more than the default plan.

-- What a member has beyond the default plan, and whence: one row for each source. members.plan_id follows in the
-- transaction that writes here.
create table grants (
  project_id uuid not null,
  id uuid not null,
  member_id uuid not null,
  source_type text not null check (source_type in ('operator', 'subscription', 'order_line')),
  -- Of an operator's grant: the member, because there is one for each.
  source_id uuid not null,
  plan_id uuid,
  -- The price that the member came in on.
  plan_version integer,
  features text[] not null default '{}',
  course_id uuid,
  starts_at timestamptz not null,
  expires_at timestamptz,
  -- When somebody has to look at it: it begins, or it ends.
  due_at timestamptz,
  created_at timestamptz not null,
  primary key (project_id, id),
  constraint grants_source_key unique (project_id, source_type, source_id),
  constraint grants_plan_version check ((plan_id is null) = (plan_version is null)),
  constraint grants_gives check (plan_id is not null or features <> '{}' or course_id is not null),
  constraint grants_member_fkey foreign key (project_id, member_id)
    references members (project_id, id) on delete cascade,
  constraint grants_plan_fkey foreign key (project_id, plan_id, plan_version)
    references plan_versions (project_id, plan_id, version)
);
create index grants_by_member on grants (project_id, member_id);
create index grants_by_due_at on grants (project_id, due_at) where due_at is not null;
create index grants_by_plan on grants (project_id, plan_id) where plan_id is not null;
call app.tenant_table('grants');
