-- Money that went back without us: refunds made with the provider itself, and disputes that a payer's bank decides.
alter table payments
  -- Of the dispute that was opened last.
  add column dispute text check (dispute in ('open', 'won', 'lost')),
  add column dispute_reason text,
  -- Somebody has to look with the provider.
  add column money_back_noticed boolean not null default false;

-- What was made without us is recorded once.
create unique index refunds_provider_reference_key on refunds (project_id, payment_id, provider_reference)
  where provider_reference is not null;
