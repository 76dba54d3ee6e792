-- Who did what to a project's settings, keys, roles, money and content: written in the transaction of the change, only
-- ever added to. It holds ids and settings, no words of members, so that nothing in it has to be forgotten.
create table audit_log (
  project_id uuid not null,
  id uuid not null,
  -- What kind of credential acted, and its public id where it has one.
  actor_kind text not null check (actor_kind in ('secret_key', 'public_key', 'member', 'operator', 'system')),
  actor_id text,
  -- The public id of the member for whom a key acted.
  on_behalf_of text,
  -- From where; null where it is not known.
  ip text,
  action text not null check (action ~ '^[a-z_]+(\.[a-z_]+)+$'),
  -- The public id of what was changed.
  target text not null,
  reason text,
  before jsonb,
  after jsonb,
  created_at timestamptz not null default now(),
  primary key (project_id, id)
);
create index audit_log_by_target on audit_log (project_id, target, id);
create index audit_log_by_actor on audit_log (project_id, actor_id, id) where actor_id is not null;
call app.tenant_table('audit_log');
revoke update, delete on audit_log from guildhall_api;
