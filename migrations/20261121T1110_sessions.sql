-- How members come in and stay.

-- A login on one device. Its access tokens are verified without asking here, so every process listens for the ids of
-- sessions that end, and refuses their tokens from then on.
create table sessions (
  project_id uuid not null,
  id uuid not null,
  member_id uuid not null,
  -- How sure we are who it is: one factor, or two.
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
  end_reason text check (end_reason in ('logout', 'revoked', 'password', 'token_reuse', 'member_inactive')),
  primary key (project_id, id),
  constraint sessions_ended check ((ended_at is null) = (end_reason is null)),
  foreign key (project_id, member_id) references members (project_id, id) on delete cascade
);
create index sessions_of_member on sessions (project_id, member_id, id) where ended_at is null;
create index sessions_by_ended_at on sessions (ended_at) where ended_at is not null;
create index sessions_by_expires_at on sessions (expires_at) where ended_at is null;
call app.tenant_table('sessions');

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

create function app.announce_ended_session() returns trigger language plpgsql as $$
begin
  perform pg_notify('guildhall_ended_sessions', old.id::text);
  return null;
end $$;
create trigger announce_end after update of ended_at on sessions for each row
  when (old.ended_at is null and new.ended_at is not null) execute function app.announce_ended_session();
create trigger announce_deletion after delete on sessions for each row
  when (old.ended_at is null) execute function app.announce_ended_session();

-- Which sessions have ended is asked of all projects at once when a process starts, and of one session while its
-- change feed is down.
create policy ended_lookup on sessions for select to guildhall_keys using (true);
grant select (project_id, id, ended_at) on sessions to guildhall_keys;

-- Whoever is not active has no session, whichever way that came about.
create function app.end_sessions_of_member() returns trigger language plpgsql as $$
begin
  update sessions set ended_at = now(), end_reason = 'member_inactive'
    where project_id = new.project_id and member_id = new.id and ended_at is null;
  return null;
end $$;
create trigger end_sessions after update of status, deleted_at on members for each row
  when (new.status <> 'active' or new.deleted_at is not null) execute function app.end_sessions_of_member();

create policy expired on sessions to guildhall_housekeeper
  using (coalesce(ended_at, expires_at) < now() - interval '30 days');
grant select, delete on sessions to guildhall_housekeeper;
create policy expired on refresh_tokens to guildhall_housekeeper using (expires_at < now());
grant select, delete on refresh_tokens to guildhall_housekeeper;
