alter table payment_accounts
  -- For the script of the provider in browsers; no secret.
  add column publishable_key text,
  -- Whether the sealed secrets have the one of the provider's messages. All that there were until now have it.
  add column has_webhook_secret boolean not null default true;
alter table payment_accounts alter column has_webhook_secret set default false;
