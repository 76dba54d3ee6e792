-- Payments, subscriptions, bills and credit. Rows of billing have no foreign key to members: bills outlive them.

-- How a project bills, one row a project at most. What is null is as in every project that has set nothing.
create table billing_settings (
  project_id uuid not null,
  id uuid not null,
  billing_url text check (char_length(billing_url) between 1 and 2000),
  renewal_notice_days integer check (renewal_notice_days between 0 and 60),
  retry_days integer[] check (cardinality(retry_days) between 1 and 10),
  member_may text[] check (member_may <@ '{subscribe,change,cancel,pause,change_payment_method}'),
  on_lost_dispute text check (on_lost_dispute in ('revoke', 'keep')),
  primary key (project_id, id),
  constraint billing_settings_project_key unique (project_id)
);
call app.tenant_table('billing_settings');

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
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- For the script of the provider in browsers; no secret.
  publishable_key text,
  -- Whether the sealed secrets have the one of the provider's messages.
  has_webhook_secret boolean not null default false,
  primary key (project_id, id)
);
create unique index payment_accounts_one_default on payment_accounts (project_id) where is_default;
create index payment_accounts_by_id on payment_accounts (id);
call app.tenant_table('payment_accounts');
call app.limited_table('payment_accounts', 50, 'payment accounts', 'archived_at is null');
-- Whose account a notice is for is looked up before its project is known.
create policy owner_lookup on payment_accounts for select to guildhall_keys using (true);
grant select (project_id, id) on payment_accounts to guildhall_keys;

-- Whom a provider knows a member as.
create table payment_customers (
  project_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  member_id uuid not null,
  customer_ref text not null,
  updated_at timestamptz not null,
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
  -- Of the dispute that was opened last, which the payer's bank decides.
  dispute text check (dispute in ('open', 'won', 'lost')),
  dispute_reason text,
  -- Money went back that nobody asked for here: somebody has to look with the provider.
  money_back_noticed boolean not null default false,
  -- Whether a payment's card is saved for charges without its payer.
  saves_method boolean not null default false,
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
create index payments_by_account on payments (project_id, account_id);
call app.tenant_table('payments');

-- Money that goes back to its payer: one refund of one payment.
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
-- What an operator made with the provider itself is recorded once.
create unique index refunds_provider_reference_key on refunds (project_id, payment_id, provider_reference)
  where provider_reference is not null;
call app.tenant_table('refunds');

-- What a provider has told us, so that each notice counts once.
create table payment_notices (
  project_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  reference text not null,
  type text not null,
  received_at timestamptz not null,
  primary key (project_id, id),
  constraint payment_notices_reference_key unique (project_id, account_id, reference),
  constraint payment_notices_account_fkey foreign key (project_id, account_id)
    references payment_accounts (project_id, id) on delete cascade
);
call app.tenant_table('payment_notices');

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
  -- `next_plan_id` was asked for after the open bill of a change, and outlasts it.
  next_plan_is_later boolean not null default false,
  -- A subscription stands still while its member is deleted and can be restored: since when, and what it was before.
  suspended_at timestamptz,
  suspended_status text check (suspended_status in ('incomplete', 'trialing', 'active', 'past_due', 'paused')),
  -- What the provider calls the saved card. Each subscription has a card of its own.
  method_ref text,
  -- When what brought it was begun, by the project's clock: of two, the later one stays.
  method_at timestamptz,
  -- An old subscription goes on with the card that its payer saved last, until one of its own is recorded.
  takes_newest_method boolean not null default false,
  -- The end of the period of whose renewal the member was told.
  noticed_period_end timestamptz,
  primary key (project_id, id),
  constraint subscriptions_plan_fkey foreign key (project_id, plan_id, plan_version)
    references plan_versions (project_id, plan_id, version),
  constraint subscriptions_next_plan_fkey foreign key (project_id, next_plan_id, next_plan_version)
    references plan_versions (project_id, plan_id, version),
  constraint subscriptions_account_fkey foreign key (project_id, account_id) references payment_accounts (project_id, id),
  constraint subscriptions_suspended check ((suspended_at is null) = (suspended_status is null)
    and (suspended_at is null or status = 'paused'))
);
create unique index subscriptions_one_live on subscriptions (project_id, member_id) where status <> 'canceled';
create unique index subscriptions_one_trial on subscriptions (project_id, member_id, trial_plan_id)
  where trial_plan_id is not null;
create index subscriptions_by_member on subscriptions (project_id, member_id, id);
create index subscriptions_by_status on subscriptions (project_id, status, id);
create index subscriptions_by_due_at on subscriptions (project_id, due_at) where due_at is not null;
create index subscriptions_by_notice on subscriptions (project_id, period_end)
  where status = 'active' and not cancel_at_period_end and noticed_period_end is distinct from period_end;
create index subscriptions_by_plan on subscriptions (project_id, plan_id);
create index subscriptions_by_next_plan on subscriptions (project_id, next_plan_id) where next_plan_id is not null;
create index subscriptions_by_account on subscriptions (project_id, account_id);
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
  -- What the move made of the plan.
  from_plan_id uuid,
  to_plan_id uuid,
  takes_effect text check (takes_effect in ('now', 'when_paid', 'period_end')),
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
  -- What was promised: where the member's credit has changed since, it no longer holds.
  amount_minor bigint not null default 0,
  primary key (project_id, id),
  constraint subscription_previews_fkey foreign key (project_id, subscription_id)
    references subscriptions (project_id, id) on delete cascade
);
create index subscription_previews_by_expiry on subscription_previews (project_id, expires_at);
create index subscription_previews_of on subscription_previews (project_id, subscription_id);
call app.tenant_table('subscription_previews');

-- Which plans a member has tried. One subscription may try several.
create table plan_trials (
  project_id uuid not null,
  id uuid not null,
  member_id uuid not null,
  plan_id uuid not null,
  began_at timestamptz not null,
  primary key (project_id, id),
  constraint plan_trials_once unique (project_id, member_id, plan_id)
);
call app.tenant_table('plan_trials');

-- A card that a browser hands in for a subscription. The id is the idempotency key with the provider.
create table payment_method_setups (
  project_id uuid not null,
  id uuid not null,
  subscription_id uuid not null,
  account_id uuid not null,
  status text not null check (status in ('pending', 'succeeded', 'canceled')),
  provider_reference text,
  -- When the provider is asked about it, by the project's clock.
  ask_at timestamptz,
  asked integer not null default 0,
  created_at timestamptz not null,
  primary key (project_id, id),
  constraint payment_method_setups_subscription_fkey foreign key (project_id, subscription_id)
    references subscriptions (project_id, id) on delete cascade,
  constraint payment_method_setups_account_fkey foreign key (project_id, account_id)
    references payment_accounts (project_id, id) on delete cascade
);
create unique index payment_method_setups_one_pending on payment_method_setups (project_id, subscription_id)
  where status = 'pending';
create index payment_method_setups_by_subscription on payment_method_setups (project_id, subscription_id);
create index payment_method_setups_by_account on payment_method_setups (project_id, account_id, provider_reference);
create index payment_method_setups_by_ask_at on payment_method_setups (project_id, ask_at) where ask_at is not null;
call app.tenant_table('payment_method_setups');

-- The last number of a bill in each project: bills have numbers without gaps.
create table bill_numbers (
  project_id uuid not null,
  id uuid not null default app.current_project(),
  last integer not null,
  primary key (project_id, id)
);
call app.tenant_table('bill_numbers');

-- What a member owes for a period or a change of a subscription. It is open until it is paid, void or uncollectible.
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
  -- The payment that paid it: others for the same bill were refunded.
  payment_id uuid,
  primary key (project_id, id),
  constraint bills_number_key unique (project_id, number),
  constraint bills_subscription_fkey foreign key (project_id, subscription_id) references subscriptions (project_id, id)
);
create index bills_by_member on bills (project_id, member_id, number);
create index bills_by_subscription on bills (project_id, subscription_id, number);
create index bills_open on bills (project_id, subscription_id, number) where status = 'open';
create index bills_by_status on bills (project_id, status, id);
call app.tenant_table('bills');

-- A line of a bill: a period, a part of one, or credit that was used.
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
  -- A line below zero gives time up, and names the line that paid for that time: no more is credited than was paid.
  source_line_id uuid,
  -- What was given back of a line: credited, refunded, or lost in a dispute.
  given_back_minor bigint not null default 0,
  primary key (project_id, id),
  constraint bill_lines_bill_fkey foreign key (project_id, bill_id) references bills (project_id, id) on delete cascade,
  constraint bill_lines_source_fkey foreign key (project_id, source_line_id) references bill_lines (project_id, id),
  constraint bill_lines_given_back check (given_back_minor between 0 and greatest(amount_minor, 0))
);
create index bill_lines_by_bill on bill_lines (project_id, bill_id, position);
create index bill_lines_by_source on bill_lines (project_id, source_line_id) where source_line_id is not null;
call app.tenant_table('bill_lines');

-- What members have in hand, by currency: used first by the next bills. It is the sum of the entries below, kept for its lock. What is
-- owed is below zero.
create table credit_balances (
  project_id uuid not null,
  id uuid not null,
  member_id uuid not null,
  currency text not null check (currency ~ '^[a-z]{3}$'),
  amount_minor bigint not null,
  primary key (project_id, id),
  constraint credit_balances_member_key unique (project_id, member_id, currency)
);
call app.tenant_table('credit_balances');

-- What was given back of a bill, to its payment or as credit.
create table bill_refunds (
  project_id uuid not null,
  id uuid not null,
  bill_id uuid not null,
  amount_minor bigint not null check (amount_minor > 0),
  destination text not null check (destination in ('payment', 'credit')),
  -- `request`: by the API; `provider`: an operator made it there; `dispute`: a bank gave the money back.
  cause text not null check (cause in ('request', 'provider', 'dispute')),
  status text not null check (status in ('pending', 'succeeded', 'failed')),
  reason text,
  -- The refund of the payment that moves the money.
  payment_refund_id uuid,
  created_at timestamptz not null,
  primary key (project_id, id),
  constraint bill_refunds_bill_fkey foreign key (project_id, bill_id) references bills (project_id, id) on delete cascade
);
create index bill_refunds_of_bill on bill_refunds (project_id, bill_id, id);
create unique index bill_refunds_by_payment on bill_refunds (project_id, payment_refund_id)
  where payment_refund_id is not null;
call app.tenant_table('bill_refunds');

-- How a refund is split over the lines. What no line has any more was credited before, and is an entry of the ledger.
create table bill_refund_lines (
  project_id uuid not null,
  id uuid not null,
  refund_id uuid not null,
  line_id uuid not null,
  amount_minor bigint not null check (amount_minor > 0),
  primary key (project_id, id),
  constraint bill_refund_lines_refund_fkey foreign key (project_id, refund_id)
    references bill_refunds (project_id, id) on delete cascade,
  constraint bill_refund_lines_line_fkey foreign key (project_id, line_id)
    references bill_lines (project_id, id) on delete cascade
);
create index bill_refund_lines_of_refund on bill_refund_lines (project_id, refund_id);
create index bill_refund_lines_of_line on bill_refund_lines (project_id, line_id);
call app.tenant_table('bill_refund_lines');

-- The ledger of credit. Entries are never changed and never deleted; the reason is blanked when its member is forgotten.
create table credit_entries (
  project_id uuid not null,
  id uuid not null,
  -- No foreign key: as bills, the ledger outlives the row of a member who is forgotten.
  member_id uuid not null,
  currency text not null check (currency ~ '^[a-z]{3}$'),
  amount_minor bigint not null check (amount_minor <> 0),
  -- `operator`; `carried_over`: what there was before the ledger; `line`: time that was paid for and given up; `refund`: a
  -- refund to credit; `used` by a bill; `owed`: too small to be charged; `billed`: what was owed, on a bill; `returned`: a
  -- bill ended unpaid or was reduced; `taken_back`: the money behind a credit went back to its payer.
  kind text not null check (kind in ('operator', 'carried_over', 'line', 'refund', 'used', 'owed', 'billed', 'returned',
    'taken_back')),
  -- The bill that made or used it.
  bill_id uuid,
  -- The paid line that it comes from.
  line_id uuid,
  refund_id uuid,
  reason text,
  actor_kind text not null,
  actor_id text,
  created_at timestamptz not null,
  primary key (project_id, id),
  constraint credit_entries_reason check (kind not in ('operator', 'carried_over') or reason is not null),
  constraint credit_entries_of_bill check (kind in ('operator', 'carried_over') or bill_id is not null),
  constraint credit_entries_of_line check (kind <> 'line' or line_id is not null),
  constraint credit_entries_of_refund check (kind not in ('refund', 'taken_back') or refund_id is not null),
  constraint credit_entries_sign check (case kind when 'line' then 1 when 'billed' then 1 when 'used' then -1 when 'owed' then -1
    else sign(amount_minor) end = sign(amount_minor)),
  constraint credit_entries_bill_fkey foreign key (project_id, bill_id) references bills (project_id, id),
  constraint credit_entries_line_fkey foreign key (project_id, line_id) references bill_lines (project_id, id),
  constraint credit_entries_refund_fkey foreign key (project_id, refund_id) references bill_refunds (project_id, id)
);
create index credit_entries_by_member on credit_entries (project_id, member_id, id);
create index credit_entries_by_bill on credit_entries (project_id, bill_id) where bill_id is not null;
create index credit_entries_by_line on credit_entries (project_id, line_id) where line_id is not null;
create index credit_entries_by_refund on credit_entries (project_id, refund_id) where refund_id is not null;
call app.tenant_table('credit_entries');
revoke update, delete on credit_entries from guildhall_api;
grant update (reason) on credit_entries to guildhall_api;
