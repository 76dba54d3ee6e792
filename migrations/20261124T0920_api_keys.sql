-- The keys by which customers' servers and sites call the API. Of a key only its hash is kept.
create table api_keys (
  project_id uuid not null references projects (id) on delete cascade,
  id uuid not null,
  name text not null check (char_length(name) between 1 and 120),
  type text not null check (type in ('public', 'secret')),
  prefix text not null,
  key_hash bytea not null,
  permissions text[] not null default '{}',
  capabilities text[] not null default '{}',
  allowed_ips text[] not null default '{}',
  allowed_origins text[] not null default '{}',
  created_by text,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  primary key (project_id, id),
  constraint api_keys_hash_key unique (key_hash)
);
call app.tenant_table('api_keys');
-- A key is looked up before its project is known, and its use is recorded for many projects at once: the only two
-- things that this role may do.
create policy key_lookup on api_keys for select to guildhall_keys using (true);
create policy key_usage on api_keys for update to guildhall_keys using (true) with check (true);
grant select, update (last_used_at) on api_keys to guildhall_keys;
-- Usage stamps (last_used_at) are not announced.
create trigger announce_change
  after delete or update of permissions, capabilities, allowed_ips, allowed_origins, expires_at, revoked_at on api_keys
  for each row execute function app.announce_change();
