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

-- Takes an Idempotency-Key for the current transaction, or fails at once: nothing that is sent behind it is done then. The
-- lock belongs to whoever asks until the transaction ends, so that a second request with the key never waits for the first.
create function app.take_idempotency_key(of_scope text, named text, of_request bytea, lock bigint) returns void
language plpgsql as $$
declare
  found_one record;
begin
  if pg_try_advisory_xact_lock(lock) then
    -- A statement behind the lock sees what its last holder has committed.
    select k.created_at < now() - interval '24 hours' or (k.leased_until < now() and k.fingerprint = of_request) as is_over
      into found_one from idempotency_keys k where k.scope = of_scope and k.key = named;
    if not found then
      return;
    end if;
    -- Its 24 hours are over, or the process that handled the same request has crashed.
    if found_one.is_over then
      delete from idempotency_keys k where k.scope = of_scope and k.key = named;
      return;
    end if;
  end if;
  raise exception 'another request has this Idempotency-Key'
    using errcode = 'unique_violation', constraint = 'idempotency_key_taken';
end $$;
