-- Where money comes from. A project without an account takes it by hand.
create table payment_accounts (
  project_id uuid not null,
  id uuid not null,
  provider text not null check (provider in ('manual', 'stripe')),
  name text not null,
  is_default boolean not null default false,
  settings jsonb not null default '{}',
  -- Keys of the provider, sealed for this row.
  sealed_secrets bytea,
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (project_id, id)
);
create unique index payment_accounts_one_default on payment_accounts (project_id) where is_default;
call app.tenant_table('payment_accounts');

-- Whom a provider knows a member as. Rows of billing have no foreign key to
-- members: bills outlive them.
create table payment_customers (
  project_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  member_id uuid not null,
  customer_ref text not null,
  updated_at timestamptz not null default now(),
  primary key (project_id, id),
  constraint payment_customers_member_key unique (project_id, account_id, member_id),
  constraint payment_customers_account_fkey foreign key (project_id, account_id)
    references payment_accounts (project_id, id) on delete cascade
);
create index payment_customers_by_member on payment_customers (project_id, member_id);
call app.tenant_table('payment_customers');

-- One attempt to get money for one thing. Its id is the idempotency key with the provider.
create table payments (
  project_id uuid not null,
  id uuid not null,
  member_id uuid not null,
  -- Null: by hand, without an account.
  account_id uuid,
  purpose text not null check (purpose in ('bill', 'order')),
  purpose_id uuid not null,
  status text not null check (status in ('requires_action', 'pending', 'succeeded', 'failed', 'canceled')),
  amount_minor bigint not null check (amount_minor > 0),
  -- What was promised back, refunds under way included.
  refunded_minor bigint not null default 0,
  currency text not null check (currency ~ '^[a-z]{3}$'),
  off_session boolean not null default false,
  provider_reference text,
  failure text,
  -- When the provider has to be asked, by the project's clock: to begin, or about what stays undecided.
  ask_at timestamptz,
  asked integer not null default 0,
  created_at timestamptz not null,
  settled_at timestamptz,
  primary key (project_id, id),
  constraint payments_refunds check (refunded_minor between 0 and amount_minor),
  constraint payments_account_fkey foreign key (project_id, account_id) references payment_accounts (project_id, id)
);
-- At most one payment is under way for a thing, and at most one succeeds.
create unique index payments_one_open on payments (project_id, purpose, purpose_id)
  where status in ('requires_action', 'pending');
create index payments_by_purpose on payments (project_id, purpose, purpose_id, id);
create index payments_by_reference on payments (project_id, provider_reference);
create index payments_by_member on payments (project_id, member_id, id);
create index payments_by_ask_at on payments (project_id, ask_at) where ask_at is not null;
call app.tenant_table('payments');

create table refunds (
  project_id uuid not null,
  id uuid not null,
  payment_id uuid not null,
  amount_minor bigint not null check (amount_minor > 0),
  status text not null check (status in ('pending', 'succeeded', 'failed')),
  reason text,
  provider_reference text,
  ask_at timestamptz,
  asked integer not null default 0,
  created_at timestamptz not null,
  settled_at timestamptz,
  primary key (project_id, id),
  constraint refunds_payment_fkey foreign key (project_id, payment_id) references payments (project_id, id)
);
create index refunds_by_payment on refunds (project_id, payment_id);
create index refunds_by_ask_at on refunds (project_id, ask_at) where ask_at is not null;
call app.tenant_table('refunds');

-- What a provider has told us, so that each notice counts once.
create table payment_notices (
  project_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  reference text not null,
  type text not null,
  received_at timestamptz not null default now(),
  primary key (project_id, id),
  constraint payment_notices_reference_key unique (project_id, account_id, reference),
  constraint payment_notices_account_fkey foreign key (project_id, account_id)
    references payment_accounts (project_id, id) on delete cascade
);
call app.tenant_table('payment_notices');

-- Whose account a notice is for is looked up before its project is known.
create policy owner_lookup on payment_accounts for select to guildhall_keys using (true);
grant select (project_id, id) on payment_accounts to guildhall_keys;
create index payment_accounts_by_id on payment_accounts (id);

-- A plan that is paid for again and again.
create table subscriptions (
  project_id uuid not null,
  id uuid not null,
  member_id uuid not null,
  plan_id uuid not null,
  plan_version integer not null,
  account_id uuid,
  status text not null check (status in ('incomplete', 'trialing', 'active', 'past_due', 'paused', 'canceled')),
  -- Periods are counted in UTC from here: 31 January, 28 February, 31 March.
  anchor_at timestamptz not null,
  periods integer not null,
  period_start timestamptz not null,
  period_end timestamptz not null,
  trial_end timestamptz,
  -- The plan of a trial: one for each member and plan.
  trial_plan_id uuid,
  reminded boolean not null default false,
  -- What changes at the period's end.
  cancel_at_period_end boolean not null default false,
  next_plan_id uuid,
  next_plan_version integer,
  paused_at timestamptz,
  resume_at timestamptz,
  -- The bill that is waited for, and why there is one.
  open_bill_id uuid,
  open_bill_reason text check (open_bill_reason in ('first', 'renewal', 'change')),
  dunning_step integer not null default 0,
  dunning_since timestamptz,
  dunning_at timestamptz,
  -- The next moment at which something happens by itself.
  due_at timestamptz,
  -- Counts moves, so that what was previewed before one does not hold after it.
  revision integer not null default 1,
  started_at timestamptz not null,
  canceled_at timestamptz,
  cancel_reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, id),
  constraint subscriptions_plan_fkey foreign key (project_id, plan_id, plan_version)
    references plan_versions (project_id, plan_id, version),
  constraint subscriptions_next_plan_fkey foreign key (project_id, next_plan_id, next_plan_version)
    references plan_versions (project_id, plan_id, version),
  constraint subscriptions_account_fkey foreign key (project_id, account_id) references payment_accounts (project_id, id)
);
create unique index subscriptions_one_live on subscriptions (project_id, member_id) where status <> 'canceled';
create unique index subscriptions_one_trial on subscriptions (project_id, member_id, trial_plan_id)
  where trial_plan_id is not null;
create index subscriptions_by_member on subscriptions (project_id, member_id, id);
create index subscriptions_by_status on subscriptions (project_id, status, id);
create index subscriptions_by_due_at on subscriptions (project_id, due_at) where due_at is not null;
call app.tenant_table('subscriptions');

-- Every move of a subscription: who, why, when.
create table subscription_moves (
  project_id uuid not null,
  id uuid not null,
  subscription_id uuid not null,
  event text not null,
  from_status text,
  to_status text not null,
  actor_kind text not null,
  reason text,
  occurred_at timestamptz not null,
  primary key (project_id, id),
  constraint subscription_moves_fkey foreign key (project_id, subscription_id)
    references subscriptions (project_id, id) on delete cascade
);
create index subscription_moves_by_subscription on subscription_moves (project_id, subscription_id, id);
call app.tenant_table('subscription_moves');

-- What a change would cost, promised for 15 minutes.
create table subscription_previews (
  project_id uuid not null,
  id uuid not null,
  subscription_id uuid not null,
  revision integer not null,
  plan_id uuid not null,
  plan_version integer not null,
  at_period_end boolean not null,
  -- The moment that the lines were computed for.
  priced_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (project_id, id),
  constraint subscription_previews_fkey foreign key (project_id, subscription_id)
    references subscriptions (project_id, id) on delete cascade
);
create index subscription_previews_by_expiry on subscription_previews (project_id, expires_at);
call app.tenant_table('subscription_previews');

-- Numbers without gaps.
create table bill_numbers (
  project_id uuid not null,
  id uuid not null default app.current_project(),
  last integer not null,
  primary key (project_id, id)
);
call app.tenant_table('bill_numbers');

create table bills (
  project_id uuid not null,
  id uuid not null,
  number integer not null,
  subscription_id uuid not null,
  member_id uuid not null,
  account_id uuid,
  reason text not null check (reason in ('first', 'renewal', 'change')),
  status text not null check (status in ('open', 'paid', 'void', 'uncollectible')),
  currency text not null check (currency ~ '^[a-z]{3}$'),
  total_minor bigint not null check (total_minor >= 0),
  -- Of a change: the plan that comes when it is paid.
  change_plan_id uuid,
  change_plan_version integer,
  due_at timestamptz not null,
  paid_at timestamptz,
  created_at timestamptz not null,
  primary key (project_id, id),
  constraint bills_number_key unique (project_id, number),
  constraint bills_subscription_fkey foreign key (project_id, subscription_id) references subscriptions (project_id, id)
);
create index bills_by_member on bills (project_id, member_id, number);
create index bills_by_subscription on bills (project_id, subscription_id, number);
create index bills_by_status on bills (project_id, status, number);
call app.tenant_table('bills');

create table bill_lines (
  project_id uuid not null,
  id uuid not null,
  bill_id uuid not null,
  position integer not null,
  kind text not null check (kind in ('period', 'proration', 'credit')),
  description text not null,
  plan_id uuid,
  period_start timestamptz,
  period_end timestamptz,
  amount_minor bigint not null,
  primary key (project_id, id),
  constraint bill_lines_bill_fkey foreign key (project_id, bill_id) references bills (project_id, id) on delete cascade
);
create index bill_lines_by_bill on bill_lines (project_id, bill_id, position);
call app.tenant_table('bill_lines');

-- What members have in hand, by currency: used first by the next bills.
create table credit_balances (
  project_id uuid not null,
  id uuid not null,
  member_id uuid not null,
  currency text not null check (currency ~ '^[a-z]{3}$'),
  amount_minor bigint not null check (amount_minor >= 0),
  primary key (project_id, id),
  constraint credit_balances_member_key unique (project_id, member_id, currency)
);
call app.tenant_table('credit_balances');
