-- What members' access tokens are signed with: one set of keys per installation, published at /.well-known/jwks.json.
-- They belong to no project, so no policy guards them but grants: requests (guildhall_api) cannot reach the table.
create table signing_keys (
  -- The `kid` of tokens.
  id text primary key,
  public_key jsonb not null,
  -- A JWK, sealed with a key that derives from SECRET_KEY.
  private_key bytea not null,
  created_at timestamptz not null default now(),
  -- A new key is published ahead of this time, so that whoever keeps the published set has it before it is used.
  signs_from timestamptz not null,
  -- Set by its successor: the last token that it can have signed has expired by then.
  published_until timestamptz
);
-- The API makes the first key itself; operators and the schedule rotate.
grant select, insert, update (published_until) on signing_keys
  to guildhall_keys, guildhall_operator, guildhall_housekeeper;
alter table signing_keys enable row level security;
create policy everyone_granted on signing_keys to guildhall_keys, guildhall_operator, guildhall_housekeeper
  using (true) with check (true);
-- What is past its time.
create policy only_expired on signing_keys as restrictive for delete to guildhall_housekeeper
  using (published_until < now());
grant delete on signing_keys to guildhall_housekeeper;

create function app.announce_signing_keys() returns trigger language plpgsql as $$
begin
  perform pg_notify('guildhall_signing_keys', '');
  return null;
end $$;
create trigger announce_change after insert or update or delete on signing_keys
  for each statement execute function app.announce_signing_keys();
