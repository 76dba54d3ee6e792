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
  primary key (project_id, id),
  constraint sso_connections_oidc check ((type = 'oidc') = (client_id is not null)),
  constraint sso_connections_saml check ((type = 'saml') = (sso_url is not null)),
  constraint sso_connections_required check (not required or cardinality(domains) > 0)
);
create index sso_connections_by_created_at on sso_connections (project_id, created_at desc, id desc);
call app.tenant_table('sso_connections');

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
  primary key (project_id, id),
  constraint sso_codes_code_key unique (project_id, code_hash),
  foreign key (project_id, connection_id) references sso_connections (project_id, id) on delete cascade,
  foreign key (project_id, member_id) references members (project_id, id) on delete cascade
);
create index sso_codes_of_connection on sso_codes (project_id, connection_id);
create index sso_codes_of_member on sso_codes (project_id, member_id);
create index sso_codes_by_expires_at on sso_codes (expires_at);
call app.tenant_table('sso_codes');

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

create policy expired on sso_logins to guildhall_housekeeper using (expires_at < now());
grant select, delete on sso_logins to guildhall_housekeeper;
create policy expired on sso_codes to guildhall_housekeeper using (expires_at < now());
grant select, delete on sso_codes to guildhall_housekeeper;
create policy expired on sso_assertions to guildhall_housekeeper using (expires_at < now());
grant select, delete on sso_assertions to guildhall_housekeeper;

-- A member whose personal data is stripped is nobody to any provider.
create function app.forget_sso_identities() returns trigger language plpgsql as $$
begin
  delete from sso_identities where project_id = new.project_id and member_id = new.id;
  delete from sso_codes where project_id = new.project_id and member_id = new.id;
  return null;
end $$;
create trigger forget_sso_identities after update of anonymized_at on members for each row
  when (old.anonymized_at is null and new.anonymized_at is not null)
  execute function app.forget_sso_identities();
