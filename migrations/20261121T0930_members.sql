create table members (
  project_id uuid not null,
  id uuid not null,
  email text not null,
  -- Compared without case. A column of its own, because an index on lower(email) is useless behind row-level
  -- security: lower() is not leakproof, so PostgreSQL may not run it before the policy.
  email_key text not null generated always as (lower(email)) stored,
  full_name text not null default '',
  avatar_url text,
  role text not null default 'member' check (role ~ '^[a-z][a-z0-9_-]{0,31}$'),
  status text not null default 'active' check (status in ('active', 'inactive', 'pending')),
  plan_id uuid not null,
  plan_version integer not null,
  metadata app.metadata not null default '{}',
  email_verified_at timestamptz,
  last_login_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  anonymized_at timestamptz,
  primary key (project_id, id),
  constraint members_plan_fkey foreign key (project_id, plan_id, plan_version)
    references plan_versions (project_id, plan_id, version)
) with (fillfactor = 90);

create unique index members_email_key on members (project_id, email_key) where deleted_at is null;
-- One index per sort order, led by status: a page of all statuses merges the three, so they need no indexes more.
create index members_by_created_at on members (project_id, status, created_at, id) where deleted_at is null;
create index members_by_email on members (project_id, status, email_key, id) where deleted_at is null;
create index members_by_full_name on members (project_id, status, full_name, id) where deleted_at is null;
create index members_by_plan on members (project_id, plan_id, plan_version);
create index members_deleted on members (project_id, deleted_at) where deleted_at is not null;
call app.tenant_table('members');

-- Password hashes live apart, so that no query for members can return one.
create table member_passwords (
  project_id uuid not null,
  id uuid not null,
  hash text not null,
  updated_at timestamptz not null default now(),
  primary key (project_id, id),
  foreign key (project_id, id) references members (project_id, id) on delete cascade
);
call app.tenant_table('member_passwords');

-- Live members per status and plan, kept exact by the triggers below so that a list's total is no scan. Each backend
-- adds to a slot of its own, so that concurrent inserts of one project do not queue for one row.
create table member_counts (
  project_id uuid not null,
  status text not null,
  plan_id uuid not null,
  slot smallint not null default pg_backend_pid() % 64,
  members bigint not null,
  primary key (project_id, status, plan_id, slot)
) with (fillfactor = 50);
call app.tenant_table('member_counts');

-- Rows are always locked in the order of status and plan, so that two moves in opposite directions cannot deadlock.
create function app.members_inserted() returns trigger language plpgsql as $$
begin
  insert into member_counts as c (project_id, status, plan_id, members)
    select project_id, status, plan_id, count(*) from inserted where deleted_at is null
    group by project_id, status, plan_id order by status, plan_id
    on conflict (project_id, status, plan_id, slot) do update set members = c.members + excluded.members;
  return null;
end $$;

create function app.members_deleted() returns trigger language plpgsql as $$
begin
  insert into member_counts as c (project_id, status, plan_id, members)
    select project_id, status, plan_id, -count(*) from deleted where deleted_at is null
    group by project_id, status, plan_id order by status, plan_id
    on conflict (project_id, status, plan_id, slot) do update set members = c.members + excluded.members;
  return null;
end $$;

create function app.member_moved() returns trigger language plpgsql as $$
begin
  insert into member_counts as c (project_id, status, plan_id, members)
    select old.project_id, moved.status, moved.plan_id, sum(moved.step)
    from (
      select old.status, old.plan_id, -1 as step where old.deleted_at is null
      union all select new.status, new.plan_id, 1 where new.deleted_at is null
    ) as moved
    group by moved.status, moved.plan_id order by moved.status, moved.plan_id
    on conflict (project_id, status, plan_id, slot) do update set members = c.members + excluded.members;
  return null;
end $$;

create trigger members_inserted after insert on members
  referencing new table as inserted for each statement execute function app.members_inserted();
create trigger members_deleted after delete on members
  referencing old table as deleted for each statement execute function app.members_deleted();
create trigger member_moved after update on members for each row
  when ((old.status, old.plan_id, old.deleted_at is null) is distinct from (new.status, new.plan_id, new.deleted_at is null))
  execute function app.member_moved();
