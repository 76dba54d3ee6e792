-- Each subscription has a card of its own; before, every charge took the card that its payer had saved last.
alter table subscriptions
  -- What the provider calls the saved card.
  add column method_ref text,
  -- When what brought it was begun, by the project's clock: of two, the later one stays.
  add column method_at timestamptz,
  -- Subscriptions that ran before go on with the newest card until one is recorded.
  add column takes_newest_method boolean not null default true;
alter table subscriptions alter column takes_newest_method set default false;

-- Whether a payment's card is saved for charges without its payer.
alter table payments add column saves_method boolean not null default false;

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
