-- Rules that protect pages of a customer's site, and what members have seen of their free views.

-- Who may see the pages of a pattern.
create table content_rules (
  project_id uuid not null references projects (id) on delete cascade,
  id uuid not null,
  url_pattern text not null check (char_length(url_pattern) between 1 and 500),
  required_features text[] not null default '{}',
  -- Days that a member must have been one.
  after_days integer check (after_days between 1 and 36500),
  -- Pages a month that members see who lack the rest.
  free_views integer check (free_views between 1 and 100),
  redirect_url text,
  is_active boolean not null default true,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, id)
);
call app.tenant_table('content_rules');

-- A plan that a rule requires cannot be deleted: the rule would let everybody in.
create table content_rule_plans (
  project_id uuid not null,
  rule_id uuid not null,
  plan_id uuid not null,
  place smallint not null,
  primary key (project_id, rule_id, plan_id),
  constraint content_rule_plans_rule_fkey foreign key (project_id, rule_id)
    references content_rules (project_id, id) on delete cascade,
  constraint content_rule_plans_plan_fkey foreign key (project_id, plan_id) references plans (project_id, id)
);
create index content_rule_plans_by_plan on content_rule_plans (project_id, plan_id);
call app.tenant_table('content_rule_plans');

-- A row for each member, rule and month, so that its paths are counted under one lock.
create table content_free_views (
  project_id uuid not null,
  id uuid not null,
  member_id uuid not null,
  rule_id uuid not null,
  -- The first day of a calendar month in UTC.
  month date not null,
  paths text[] not null,
  primary key (project_id, id),
  constraint content_free_views_once unique (project_id, member_id, rule_id, month),
  constraint content_free_views_member_fkey foreign key (project_id, member_id)
    references members (project_id, id) on delete cascade,
  constraint content_free_views_rule_fkey foreign key (project_id, rule_id)
    references content_rules (project_id, id) on delete cascade
);
create index content_free_views_by_rule on content_free_views (project_id, rule_id);
create index content_free_views_by_month on content_free_views (month);
call app.tenant_table('content_free_views');

-- Processes keep rules compiled in memory: they are told whose rules changed.
create function app.announce_content_rules() returns trigger language plpgsql as $$
begin
  perform pg_notify('guildhall_content_rules', coalesce(new.project_id, old.project_id)::text);
  return null;
end $$;
create trigger announce_change after insert or update or delete on content_rules
  for each row execute function app.announce_content_rules();
create trigger announce_change after insert or update or delete on content_rule_plans
  for each row execute function app.announce_content_rules();
-- Compiled rules know which of their plans everybody may see, so that a plan that is published or hidden changes them.
create trigger announce_rules after update of status, visibility on plans
  for each row when ((old.status, old.visibility) is distinct from (new.status, new.visibility))
  execute function app.announce_content_rules();
