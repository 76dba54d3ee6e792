-- What the auditor reads to prove that what all projects were paid and what became of it adds up.
create policy audit on projects for select to guildhall_auditor using (true);
create policy audit on members for select to guildhall_auditor using (true);
create policy audit on plans for select to guildhall_auditor using (true);
create policy audit on grants for select to guildhall_auditor using (true);
create policy audit on payments for select to guildhall_auditor using (true);
create policy audit on refunds for select to guildhall_auditor using (true);
create policy audit on subscriptions for select to guildhall_auditor using (true);
create policy audit on subscription_moves for select to guildhall_auditor using (true);
create policy audit on bills for select to guildhall_auditor using (true);
create policy audit on bill_lines for select to guildhall_auditor using (true);
create policy audit on bill_refunds for select to guildhall_auditor using (true);
create policy audit on bill_refund_lines for select to guildhall_auditor using (true);
create policy audit on credit_entries for select to guildhall_auditor using (true);
create policy audit on credit_balances for select to guildhall_auditor using (true);
create policy audit on plan_trials for select to guildhall_auditor using (true);
create policy audit on orders for select to guildhall_auditor using (true);
create policy audit on discounts for select to guildhall_auditor using (true);

grant select (id, live_id, environment) on projects to guildhall_auditor;
-- Of a member only whether there is one.
grant select (project_id, id, deleted_at, anonymized_at) on members to guildhall_auditor;
grant select (project_id, id, visibility, trial_days) on plans to guildhall_auditor;
grant select (project_id, id, member_id, source_type, plan_id, features, course_id, starts_at, expires_at)
  on grants to guildhall_auditor;
grant select (project_id, id, member_id, account_id, purpose, purpose_id, status, amount_minor, refunded_minor, currency,
  failure, provider_reference, created_at) on payments to guildhall_auditor;
grant select (project_id, id, payment_id, amount_minor, status) on refunds to guildhall_auditor;
grant select (project_id, id, member_id, plan_id, status, trial_plan_id, suspended_at) on subscriptions to guildhall_auditor;
grant select (project_id, id, subscription_id, event, actor_kind) on subscription_moves to guildhall_auditor;
grant select (project_id, id, subscription_id, member_id, status, currency, total_minor, payment_id) on bills
  to guildhall_auditor;
grant select (project_id, id, bill_id, kind, amount_minor, source_line_id, given_back_minor) on bill_lines to guildhall_auditor;
grant select (project_id, id, bill_id, amount_minor, destination, status, payment_refund_id) on bill_refunds
  to guildhall_auditor;
grant select (project_id, id, refund_id, line_id, amount_minor) on bill_refund_lines to guildhall_auditor;
grant select (project_id, id, member_id, currency, amount_minor, kind, bill_id) on credit_entries to guildhall_auditor;
grant select (project_id, id, member_id, currency, amount_minor) on credit_balances to guildhall_auditor;
grant select (project_id, id, member_id, plan_id) on plan_trials to guildhall_auditor;
grant select (project_id, id, member_id, currency, status, paid_minor, refunded_minor, discount_id, payment_id) on orders
  to guildhall_auditor;
grant select (project_id, id, max_uses_per_member) on discounts to guildhall_auditor;
-- When the database got which version: payments of before a fault was mended are told by it (packages/areas/src/proof/rules.ts).
grant select (name, applied_at) on schema_migrations to guildhall_auditor;

-- A difference between what a member paid and what became of it that an operator has looked into, and that cannot be mended.
-- The proof counts it from then on.
create table accepted_differences (
  project_id uuid not null,
  id uuid not null,
  -- No foreign key: as payments, it outlives the row of a member who is forgotten.
  member_id uuid not null,
  currency text not null check (currency ~ '^[a-z]{3}$'),
  amount_minor bigint not null check (amount_minor <> 0),
  reason text not null,
  created_at timestamptz not null default now(),
  primary key (project_id, id)
);
create index accepted_differences_by_member on accepted_differences (project_id, member_id);
call app.tenant_table('accepted_differences');
-- Never changed and never deleted; the reason is blanked when its member is forgotten.
revoke update, delete on accepted_differences from guildhall_api;
grant update (reason) on accepted_differences to guildhall_api;
create policy audit on accepted_differences for select to guildhall_auditor using (true);
grant select (project_id, id, member_id, currency, amount_minor) on accepted_differences to guildhall_auditor;
