-- POST requests that carried an Idempotency-Key: who works on them, and what was answered. Kept for 24 hours.
create table idempotency_keys (
  project_id uuid not null,
  -- Whose it is: credentials of different kinds, and different members, never meet at a key.
  scope text not null,
  key text not null check (char_length(key) between 1 and 255),
  -- SHA-256 of the request that came first.
  fingerprint bytea not null,
  -- Made anew by whoever works on the request: one that has lost its lease commits nothing.
  token uuid not null,
  leased_until timestamptz,
  -- The answer. Its body may show a secret for the only time, so that it is sealed.
  status smallint,
  content_type text,
  body bytea,
  created_at timestamptz not null default now(),
  primary key (project_id, scope, key),
  constraint idempotency_keys_answered check ((leased_until is null) = (status is not null))
);
create index idempotency_keys_by_created_at on idempotency_keys (created_at);
call app.tenant_table('idempotency_keys');

create policy expired on idempotency_keys to guildhall_housekeeper using (created_at < now() - interval '24 hours');
grant select, delete on idempotency_keys to guildhall_housekeeper;
