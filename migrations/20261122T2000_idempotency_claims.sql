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
