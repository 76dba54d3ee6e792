-- Mails and what a project says in them.

-- What a project says in its mails, and in which colours. What is not set is ours.
create table mail_settings (
  project_id uuid not null,
  id uuid not null,
  sender_name text check (char_length(sender_name) between 1 and 80),
  reply_to text check (char_length(reply_to) <= 254),
  accent_color text check (accent_color ~ '^#[0-9a-f]{6}$'),
  background_color text check (background_color ~ '^#[0-9a-f]{6}$'),
  footer text check (char_length(footer) <= 1000),
  -- Who is told what goes wrong with the project.
  operator_addresses text[] not null default '{}',
  updated_at timestamptz not null default now(),
  primary key (project_id, id),
  constraint mail_settings_project_key unique (project_id)
);
call app.tenant_table('mail_settings');

-- What a project says in one kind of mail.
create table mail_templates (
  project_id uuid not null,
  id uuid not null,
  mail text not null,
  subject text check (char_length(subject) between 1 and 200),
  heading text check (char_length(heading) <= 200),
  body text check (char_length(body) <= 10000),
  action text check (char_length(action) between 1 and 80),
  updated_at timestamptz not null default now(),
  primary key (project_id, id),
  constraint mail_templates_mail_key unique (project_id, mail)
);
call app.tenant_table('mail_templates');

-- Mails, from the transaction that asks for one to the server that takes it.
create table mails (
  project_id uuid not null,
  id uuid not null,
  mail text not null,
  to_address text not null check (char_length(to_address) <= 254),
  to_name text not null default '' check (char_length(to_name) <= 200),
  -- What is filled in, codes and links among it: sealed, and gone as soon as the mail is.
  sealed_values bytea,
  state text not null default 'queued' check (state in ('queued', 'sent', 'failed', 'suppressed')),
  attempts integer not null default 0,
  -- When it may be tried again after the server deferred it.
  next_attempt_at timestamptz,
  -- After this nobody has a use for it.
  useful_until timestamptz,
  -- Why it is not sent, or not yet.
  error text check (error in ('deferred', 'refused', 'bounced', 'expired', 'abandoned')),
  smtp_response text,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  -- Mails to one address. A column of its own, as members.email_key is.
  to_key text not null generated always as (lower(to_address)) stored,
  primary key (project_id, id),
  constraint mails_sealed check ((state = 'queued') = (sealed_values is not null)),
  constraint mails_finished check ((state = 'queued') = (finished_at is null))
);
create index mails_by_state on mails (project_id, state, id);
create index mails_by_created_at on mails using brin (created_at);
create index mails_by_to_key on mails (project_id, to_key);
call app.tenant_table('mails');
revoke delete on mails from guildhall_api;
create policy expired on mails for delete to guildhall_housekeeper using (created_at < now() - interval '30 days');
-- Whatever became of its job, a secret does not stay here.
create policy old on mails for select to guildhall_housekeeper using (created_at < now() - interval '3 days');
create policy abandoned on mails for update to guildhall_housekeeper
  using (state = 'queued' and created_at < now() - interval '3 days') with check (state = 'failed');
grant select, delete, update (state, error, sealed_values, next_attempt_at, finished_at) on mails to guildhall_housekeeper;

-- Addresses that do not exist, as their own server said. Nothing is sent to them any more.
create table mail_suppressions (
  project_id uuid not null,
  id uuid not null,
  -- In lower case.
  address text not null check (address = lower(address) and char_length(address) <= 254),
  mail_id uuid not null,
  smtp_response text not null,
  created_at timestamptz not null default now(),
  primary key (project_id, id),
  constraint mail_suppressions_address_key unique (project_id, address)
);
call app.tenant_table('mail_suppressions');
revoke update on mail_suppressions from guildhall_api;
