-- How members come in and stay: sessions, links and codes, second factors, invitations, passkeys, single sign-on.

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
alter table signing_keys enable row level security;
-- The API makes the first key itself; operators and the schedule rotate.
grant select, insert, update (published_until) on signing_keys
  to guildhall_keys, guildhall_operator, guildhall_housekeeper;
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

-- A login on one device. Its access tokens are verified without asking here, so every process listens for the ids of
-- sessions that end, and refuses their tokens from then on.
create table sessions (
  project_id uuid not null,
  id uuid not null,
  member_id uuid not null,
  -- How sure it is who it is: one factor, or two.
  aal text not null check (aal in ('aal1', 'aal2')),
  -- The methods it was reached by, in their order.
  amr text[] not null,
  ip inet,
  user_agent text,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  -- When its newest refresh token expires.
  expires_at timestamptz not null,
  ended_at timestamptz,
  end_reason text check (end_reason in
    ('logout', 'revoked', 'password', 'token_reuse', 'member_inactive', 'first_confirmation')),
  primary key (project_id, id),
  constraint sessions_ended check ((ended_at is null) = (end_reason is null)),
  foreign key (project_id, member_id) references members (project_id, id) on delete cascade
);
create index sessions_by_ended_at on sessions (ended_at) where ended_at is not null;
create index sessions_by_expires_at on sessions (expires_at) where ended_at is null;
create index sessions_of_each_member on sessions (project_id, member_id, id);
call app.tenant_table('sessions');
-- Which sessions have ended is asked of all projects at once when a process starts, and of one session while its
-- change feed is down.
create policy ended_lookup on sessions for select to guildhall_keys using (true);
grant select (project_id, id, ended_at) on sessions to guildhall_keys;
create policy expired on sessions to guildhall_housekeeper
  using (coalesce(ended_at, expires_at) < now() - interval '30 days');
grant select, delete on sessions to guildhall_housekeeper;

create function app.announce_ended_session() returns trigger language plpgsql as $$
begin
  perform pg_notify('guildhall_ended_sessions', old.id::text);
  return null;
end $$;
create trigger announce_end after update of ended_at on sessions for each row
  when (old.ended_at is null and new.ended_at is not null) execute function app.announce_ended_session();
create trigger announce_deletion after delete on sessions for each row
  when (old.ended_at is null) execute function app.announce_ended_session();

-- Whoever is not active has no session, whichever way that came about.
create function app.end_sessions_of_member() returns trigger language plpgsql as $$
begin
  update sessions set ended_at = now(), end_reason = 'member_inactive'
    where project_id = new.project_id and member_id = new.id and ended_at is null;
  return null;
end $$;
create trigger end_sessions after update of status, deleted_at on members for each row
  when (new.status <> 'active' or new.deleted_at is not null) execute function app.end_sessions_of_member();

-- Single-use tokens of a session, only as hashes. A used one is kept until it expires, to be recognized when it comes
-- back.
create table refresh_tokens (
  project_id uuid not null,
  id uuid not null,
  session_id uuid not null,
  hash bytea not null,
  used_at timestamptz,
  expires_at timestamptz not null,
  primary key (project_id, id),
  constraint refresh_tokens_hash_key unique (project_id, hash),
  foreign key (project_id, session_id) references sessions (project_id, id) on delete cascade
);
create index refresh_tokens_of_session on refresh_tokens (project_id, session_id);
create index refresh_tokens_by_expires_at on refresh_tokens (expires_at);
call app.tenant_table('refresh_tokens');
create policy expired on refresh_tokens to guildhall_housekeeper using (expires_at < now());
grant select, delete on refresh_tokens to guildhall_housekeeper;

-- What proves, once, who somebody is: links and codes from mails, the second step of a login, the way back from our
-- page. Only hashes are kept.
create table one_time_tokens (
  project_id uuid not null,
  id uuid not null,
  purpose text not null check (purpose in
    ('magic_link', 'email', 'email_change', 'password_reset', 'mfa', 'exchange')),
  -- Whom it is for: an address in lower case, or an id. A newer one for the same replaces it.
  subject text not null,
  -- Where the mail goes; what is verified by it.
  email text,
  -- Null where nobody knows yet whether there is such a member.
  member_id uuid,
  redirect_url text,
  -- Null until the mail is made. Of a link's token its SHA-256; of a 6-digit code a keyed hash, because it has so few
  -- values that a plain one could be tried out.
  token_hash bytea,
  code_hash bytea,
  -- Wrong codes so far.
  attempts smallint not null default 0,
  -- What is known already, such as the first factor of a login.
  details jsonb not null default '{}',
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- Of the sign-up that it completes: it becomes a password when the mail's code comes back.
  password_hash text,
  -- Only who knows what it was made from can use what the mail brought (PKCE, S256).
  code_challenge text,
  primary key (project_id, id),
  constraint one_time_tokens_newest unique (project_id, purpose, subject),
  constraint one_time_tokens_hash_key unique (project_id, token_hash),
  foreign key (project_id, member_id) references members (project_id, id) on delete cascade
);
create index one_time_tokens_of_member on one_time_tokens (project_id, member_id) where member_id is not null;
create index one_time_tokens_by_expires_at on one_time_tokens (expires_at);
call app.tenant_table('one_time_tokens');
create policy expired on one_time_tokens to guildhall_housekeeper using (expires_at < now());
grant select, delete on one_time_tokens to guildhall_housekeeper;

-- Second factors.
create table mfa_factors (
  project_id uuid not null,
  id uuid not null,
  member_id uuid not null,
  type text not null check (type in ('totp')),
  name text not null check (char_length(name) between 1 and 120),
  -- Sealed with a key that derives from SECRET_KEY.
  secret bytea not null,
  -- It counts from its first right code on.
  confirmed_at timestamptz,
  -- The time step of the newest code that was taken: none is taken twice.
  last_step bigint not null default 0,
  created_at timestamptz not null default now(),
  primary key (project_id, id),
  foreign key (project_id, member_id) references members (project_id, id) on delete cascade
);
create index mfa_factors_of_member on mfa_factors (project_id, member_id);
call app.tenant_table('mfa_factors');

-- For whoever has lost the second factor: each works once. They have 80 random bits, so that SHA-256 is enough.
create table recovery_codes (
  project_id uuid not null,
  id uuid not null,
  member_id uuid not null,
  hash bytea not null,
  used_at timestamptz,
  primary key (project_id, id),
  constraint recovery_codes_hash_key unique (project_id, member_id, hash),
  foreign key (project_id, member_id) references members (project_id, id) on delete cascade
);
call app.tenant_table('recovery_codes');

-- Whoever is invited becomes a member by accepting, unless they are one already that has never logged in.
create table invitations (
  project_id uuid not null,
  id uuid not null,
  email text not null,
  email_key text not null generated always as (lower(email)) stored,
  role text not null default 'member' check (role ~ '^[a-z][a-z0-9_-]{0,31}$'),
  full_name text not null default '',
  plan_id uuid,
  member_id uuid,
  redirect_url text,
  status text not null default 'pending' check (status in ('pending', 'accepted', 'revoked')),
  -- Null until the mail is made; a mail that is sent again has a new one.
  token_hash bytea,
  created_at timestamptz not null,
  sent_at timestamptz,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  revoked_at timestamptz,
  -- Of the 6-digit code that accepts it, too, for those who cannot open the link where they want to come in. A keyed hash, because
  -- a code has so few values that a plain one could be tried out.
  code_hash bytea,
  -- Wrong codes so far. Too many are the end of the code; the link stays good.
  code_attempts smallint not null default 0,
  primary key (project_id, id),
  constraint invitations_hash_key unique (project_id, token_hash),
  foreign key (project_id, plan_id) references plans (project_id, id) on delete set null (plan_id),
  foreign key (project_id, member_id) references members (project_id, id) on delete cascade
);
create unique index invitations_pending_key on invitations (project_id, email_key) where status = 'pending';
create index invitations_by_created_at on invitations (project_id, created_at desc, id desc);
create index invitations_of_member on invitations (project_id, member_id) where member_id is not null;
create index invitations_of_plan on invitations (project_id, plan_id) where plan_id is not null;
create index invitations_by_email on invitations (project_id, email_key);
create index invitations_by_status on invitations (project_id, status, created_at desc, id desc);
call app.tenant_table('invitations');

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

-- How members log in elsewhere: a connection to an OpenID provider, or to a SAML one.
create table sso_connections (
  project_id uuid not null,
  id uuid not null,
  type text not null check (type in ('oidc', 'saml')),
  name text not null check (char_length(name) between 1 and 120),
  enabled boolean not null default true,
  -- Domains of addresses, in lower case, that it speaks for. None: it speaks for any.
  domains text[] not null default '{}',
  -- Whether addresses of its domains log in by it and in no other way.
  required boolean not null default false,
  -- What the provider calls itself: the issuer, or SAML's entity id. Subjects mean something within it only.
  issuer text not null,
  -- Of an OpenID provider; the secret is sealed with a key that derives from SECRET_KEY.
  client_id text,
  client_secret bytea,
  -- Of a SAML provider: where its login is, and what its signatures are checked with (DER in base64).
  sso_url text,
  certificates text[] not null default '{}',
  metadata_url text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Each connection has a callback of its own, so that an answer that was meant for one provider never reaches another. An old
  -- connection comes back to the address that all of them had, until an operator says that the provider knows the new one.
  uses_old_callback boolean not null default false,
  primary key (project_id, id),
  constraint sso_connections_oidc check ((type = 'oidc') = (client_id is not null)),
  constraint sso_connections_saml check ((type = 'saml') = (sso_url is not null)),
  constraint sso_connections_required check (not required or cardinality(domains) > 0)
);
create index sso_connections_by_created_at on sso_connections (project_id, created_at desc, id desc);
call app.tenant_table('sso_connections');
call app.limited_table('sso_connections', 100, 'single sign-on connections');
-- A provider asks for what it has to know of us by the connection's id, and shows no credential: whose the id is, and
-- nothing else, is asked across projects.
create policy owner_lookup on sso_connections for select to guildhall_keys using (true);
grant select (project_id, id) on sso_connections to guildhall_keys;

-- Who somebody is to a provider, and which member that is.
create table sso_identities (
  project_id uuid not null,
  id uuid not null,
  connection_id uuid not null,
  subject text not null,
  member_id uuid not null,
  created_at timestamptz not null default now(),
  last_login_at timestamptz not null default now(),
  -- The member was one before the provider named them, and has not shown their own second factor since: until then every login
  -- by the provider asks for it.
  needs_factor boolean not null default false,
  primary key (project_id, id),
  constraint sso_identities_subject_key unique (project_id, connection_id, subject),
  foreign key (project_id, connection_id) references sso_connections (project_id, id) on delete cascade,
  foreign key (project_id, member_id) references members (project_id, id) on delete cascade
);
create index sso_identities_of_member on sso_identities (project_id, member_id);
call app.tenant_table('sso_identities');

-- Logins that are under way at a provider: each comes back once, with its state.
create table sso_logins (
  project_id uuid not null,
  id uuid not null,
  connection_id uuid not null,
  state_hash bytea not null,
  -- What the answer is held against (nonce and code verifier, or the id of the request), sealed.
  secrets bytea not null,
  redirect_url text not null,
  -- Of the site that asked: only who knows what it was made from can take the session.
  code_challenge text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (project_id, id),
  constraint sso_logins_state_key unique (project_id, state_hash),
  foreign key (project_id, connection_id) references sso_connections (project_id, id) on delete cascade
);
create index sso_logins_of_connection on sso_logins (project_id, connection_id);
create index sso_logins_by_expires_at on sso_logins (expires_at);
call app.tenant_table('sso_logins');
create policy expired on sso_logins to guildhall_housekeeper using (expires_at < now());
grant select, delete on sso_logins to guildhall_housekeeper;

-- What the site gets a session for, once.
create table sso_codes (
  project_id uuid not null,
  id uuid not null,
  connection_id uuid not null,
  member_id uuid not null,
  code_hash bytea not null,
  code_challenge text not null,
  amr text[] not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- Whose second factor is to be shown before there is a session; null where none is.
  identity_id uuid,
  primary key (project_id, id),
  constraint sso_codes_code_key unique (project_id, code_hash),
  foreign key (project_id, connection_id) references sso_connections (project_id, id) on delete cascade,
  foreign key (project_id, member_id) references members (project_id, id) on delete cascade,
  foreign key (project_id, identity_id) references sso_identities (project_id, id) on delete cascade
);
create index sso_codes_of_connection on sso_codes (project_id, connection_id);
create index sso_codes_of_member on sso_codes (project_id, member_id);
create index sso_codes_by_expires_at on sso_codes (expires_at);
create index sso_codes_of_identity on sso_codes (project_id, identity_id) where identity_id is not null;
call app.tenant_table('sso_codes');
create policy expired on sso_codes to guildhall_housekeeper using (expires_at < now());
grant select, delete on sso_codes to guildhall_housekeeper;

-- Assertions that were taken, for as long as they are good: none is taken twice.
create table sso_assertions (
  project_id uuid not null,
  id uuid not null,
  connection_id uuid not null,
  assertion_hash bytea not null,
  expires_at timestamptz not null,
  primary key (project_id, id),
  constraint sso_assertions_once unique (project_id, connection_id, assertion_hash),
  foreign key (project_id, connection_id) references sso_connections (project_id, id) on delete cascade
);
create index sso_assertions_by_expires_at on sso_assertions (expires_at);
call app.tenant_table('sso_assertions');
create policy expired on sso_assertions to guildhall_housekeeper using (expires_at < now());
grant select, delete on sso_assertions to guildhall_housekeeper;
