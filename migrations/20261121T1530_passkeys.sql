-- Passkeys (WebAuthn): a way to log in without a password.
create table passkeys (
  project_id uuid not null,
  id uuid not null,
  member_id uuid not null,
  -- The authenticator's own name for it.
  credential_id bytea not null check (octet_length(credential_id) between 1 and 1023),
  -- The domain whose pages may use it.
  rp_id text not null,
  public_key bytea not null,
  -- How often its authenticator says that it was used; many do not count and stay at 0.
  counter bigint not null,
  -- How browsers reach its authenticator, as they have said.
  transports text[] not null,
  name text not null check (char_length(name) between 1 and 120),
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  primary key (project_id, id),
  constraint passkeys_credential_key unique (project_id, credential_id),
  foreign key (project_id, member_id) references members (project_id, id) on delete cascade
);
create index passkeys_of_member on passkeys (project_id, member_id);
call app.tenant_table('passkeys');

-- What an authenticator has to sign, once and within minutes. Only hashes are kept.
create table passkey_challenges (
  project_id uuid not null,
  id uuid not null,
  hash bytea not null,
  rp_id text not null,
  -- Who wants to have a passkey; null where somebody logs in, of whom nothing is known yet.
  member_id uuid,
  expires_at timestamptz not null,
  primary key (project_id, id),
  constraint passkey_challenges_hash_key unique (project_id, hash),
  foreign key (project_id, member_id) references members (project_id, id) on delete cascade
);
create index passkey_challenges_of_member on passkey_challenges (project_id, member_id) where member_id is not null;
create index passkey_challenges_by_expires_at on passkey_challenges (expires_at);
call app.tenant_table('passkey_challenges');
create policy expired on passkey_challenges to guildhall_housekeeper using (expires_at < now());
grant select, delete on passkey_challenges to guildhall_housekeeper;

-- A member whose personal data is stripped comes in no more.
create function app.forget_passkeys() returns trigger language plpgsql as $$
begin
  delete from passkeys where project_id = new.project_id and member_id = new.id;
  delete from passkey_challenges where project_id = new.project_id and member_id = new.id;
  return null;
end $$;
create trigger forget_passkeys after update of anonymized_at on members for each row
  when (old.anonymized_at is null and new.anonymized_at is not null) execute function app.forget_passkeys();
