-- locks: none of a table that has rows

-- Programs without a browser that ask to be logged in (RFC 8628), and the log-ins that came of it. The rows belong to the project of
-- operators.
create table device_log_ins (
  project_id uuid not null,
  id uuid not null,
  -- Hashes: of the code that the program keeps, and of the token that it got for it.
  device_hash bytea not null,
  token_hash bytea,
  -- What a person types. The letters are no vowels, so they make no words.
  user_code text not null check (user_code ~ '^[BCDFGHJKLMNPQRSTVWXZ]{8}$'),
  -- How the program names itself, and from where it asks.
  client_name text not null check (char_length(client_name) <= 120),
  ip inet not null,
  status text not null default 'pending' check (status in ('pending', 'approved', 'denied', 'taken')),
  -- Seconds between two questions of the program, and when it asked last.
  interval_seconds integer not null default 5,
  asked_at timestamptz,
  -- What was approved, by whom: one side of one project. No foreign key to it, because that is another tenant; the operator's
  -- session has one to the operator.
  operator_id uuid,
  live_id uuid,
  environment text check (environment in ('live', 'test')),
  -- The session of the operator that the program uses. The log-in ends with it.
  session_id uuid,
  created_at timestamptz not null default now(),
  -- When the code ends.
  expires_at timestamptz not null,
  primary key (project_id, id),
  constraint device_log_ins_session_fkey foreign key (project_id, session_id)
    references sessions (project_id, id) on delete cascade,
  constraint device_log_ins_approved check (
    status not in ('approved', 'taken') or (operator_id is not null and live_id is not null and environment is not null)
  ),
  constraint device_log_ins_taken check ((status = 'taken') = (session_id is not null and token_hash is not null))
);
create unique index device_log_ins_device_key on device_log_ins (project_id, device_hash);
create unique index device_log_ins_token_key on device_log_ins (project_id, token_hash) where token_hash is not null;
create unique index device_log_ins_user_code_key on device_log_ins (project_id, user_code) where status = 'pending';
create index device_log_ins_by_session on device_log_ins (project_id, session_id);
-- Those whose code has expired are removed.
create index device_log_ins_by_expiry on device_log_ins (project_id, expires_at) where session_id is null;
call app.tenant_table('device_log_ins');
