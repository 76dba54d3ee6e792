-- How far a project's clock was moved by its test clock. A project without a row goes by the real time.
create table project_clocks (
  project_id uuid not null,
  -- The project's own: there is one clock for each.
  id uuid not null default app.current_project(),
  moved_by_ms bigint not null check (moved_by_ms >= 0),
  updated_at timestamptz not null default now(),
  primary key (project_id, id)
);
call app.tenant_table('project_clocks');

-- The time that billing, trials, drip dates and reservations of the current project go by. Ask for it as
-- `(select app.project_now())`, so that it is evaluated once per statement. While a test clock is moved, each of its steps
-- says in `app.clock` which moment it works off.
create function app.project_now() returns timestamptz
  language plpgsql stable parallel safe
as $$
begin
  if current_setting('app.clock', true) <> '' then
    return current_setting('app.clock')::timestamptz;
  end if;
  return now() + coalesce(
    (select moved_by_ms from project_clocks where project_id = app.current_project()), 0) * interval '1 millisecond';
end $$;

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
  created_at timestamptz not null default now(),
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

-- Members that are not on the default plan were put there by an operator. Whoever migrates owns these tables, and for a
-- moment sees the rows of all projects.
alter table members no force row level security;
alter table plans no force row level security;
insert into grants (project_id, id, member_id, source_type, source_id, plan_id, plan_version, starts_at)
  select m.project_id, gen_random_uuid(), m.id, 'operator', m.id, m.plan_id, m.plan_version, now()
  from members m join plans p on p.project_id = m.project_id and p.id = m.plan_id
  where not p.is_default and m.anonymized_at is null;
alter table members force row level security;
alter table plans force row level security;
call app.tenant_table('grants');
