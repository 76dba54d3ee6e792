-- What members can be on: features, limits and a trial. Its prices are versions.
create table plans (
  project_id uuid not null references projects (id) on delete cascade,
  id uuid not null,
  -- The version that new members get; see plan_versions.
  version integer not null default 1,
  name text not null,
  slug text not null,
  description text not null default '',
  trial_days integer not null default 0 check (trial_days between 0 and 730),
  features text[] not null default '{}',
  limits jsonb not null default '{}',
  rank integer not null default 0,
  visibility text not null default 'public' check (visibility in ('public', 'hidden')),
  status text not null default 'active' check (status in ('active', 'archived')),
  is_default boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Kept, because making it takes longer than all the rest of a statement that announces a member with its plan.
  public_id text not null generated always as (app.public_id('plan', id)) stored,
  primary key (project_id, id),
  constraint plans_slug_key unique (project_id, slug),
  constraint plans_default_is_active check (not is_default or status = 'active')
);
create unique index plans_one_default on plans (project_id) where is_default;
call app.tenant_table('plans');
call app.limited_table('plans', 500, 'plans');
-- A project is born with a default plan, in the operator's transaction that makes it.
grant insert on plans to guildhall_operator;

-- What a plan costs. A price change adds a version; members stay on the one they came in on.
create table plan_versions (
  project_id uuid not null,
  id uuid not null,
  plan_id uuid not null,
  version integer not null,
  -- In the smallest unit of the currency, by the digits of ISO 4217.
  price_minor bigint not null check (price_minor between 0 and 99999999999),
  currency text not null check (currency ~ '^[a-z]{3}$'),
  interval text not null check (interval in ('month', 'year', 'one_time', 'free')),
  interval_count integer not null check (interval_count between 1 and 36),
  created_at timestamptz not null,
  primary key (project_id, id),
  constraint plan_versions_version_key unique (project_id, plan_id, version),
  foreign key (project_id, plan_id) references plans (project_id, id) on delete cascade
);
call app.tenant_table('plan_versions');
grant insert on plan_versions to guildhall_operator;
