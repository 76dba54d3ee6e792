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
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  revoked_at timestamptz,
  primary key (project_id, id),
  constraint invitations_hash_key unique (project_id, token_hash),
  foreign key (project_id, plan_id) references plans (project_id, id) on delete set null (plan_id),
  foreign key (project_id, member_id) references members (project_id, id) on delete cascade
);
create unique index invitations_pending_key on invitations (project_id, email_key) where status = 'pending';
create index invitations_by_created_at on invitations (project_id, created_at desc, id desc);
create index invitations_of_member on invitations (project_id, member_id) where member_id is not null;
create index invitations_of_plan on invitations (project_id, plan_id) where plan_id is not null;
call app.tenant_table('invitations');

-- A member whose personal data is stripped leaves nothing behind that they came in with.
create function app.forget_member() returns trigger language plpgsql as $$
begin
  delete from sessions where project_id = new.project_id and member_id = new.id;
  delete from one_time_tokens where project_id = new.project_id
    and (member_id = new.id or subject = lower(old.email));
  delete from mfa_factors where project_id = new.project_id and member_id = new.id;
  delete from recovery_codes where project_id = new.project_id and member_id = new.id;
  delete from invitations where project_id = new.project_id
    and (member_id = new.id or email_key = lower(old.email));
  return null;
end $$;
create trigger forget_member after update of anonymized_at on members for each row
  when (old.anonymized_at is null and new.anonymized_at is not null) execute function app.forget_member();
