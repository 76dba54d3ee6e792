-- What members are told of. Titles and texts of what a notification is about are not stored here: they are read with it, by whoever may
-- read them by then.
-- contract: the version before marks what it has mailed in the columns that go; there was no release before this one

-- What a project tells its members itself, once for all who get it.
create table notification_messages (
  project_id uuid not null,
  id uuid not null,
  text text not null check (char_length(text) between 1 and 500),
  url text check (url ~ '^https?://'),
  -- Null for one to named members.
  plan_id uuid,
  created_at timestamptz not null,
  primary key (project_id, id),
  constraint notification_messages_plan_fkey foreign key (project_id, plan_id)
    references plans (project_id, id) on delete set null (plan_id)
);
create index notification_messages_by_age on notification_messages (project_id, created_at);
create index notification_messages_by_plan on notification_messages (project_id, plan_id) where plan_id is not null;
call app.tenant_table('notification_messages');

create table notifications (
  project_id uuid not null,
  id uuid not null,
  member_id uuid not null,
  kind text not null check (kind in ('reply', 'mention', 'answer', 'like', 'feedback_status', 'moderation', 'order', 'course',
    'certificate', 'invitation', 'message')),
  -- No foreign keys: what is gone is not shown.
  target_type text not null check (target_type in ('discussion', 'comment', 'feedback', 'order', 'course', 'certificate', 'member',
    'message')),
  target_id uuid not null,
  -- The event that caused it. A cause tells a member once, however often its work is repeated.
  cause uuid not null,
  -- Who did it, the last one first. Likes of the same post are one notification until it is read.
  actor_ids uuid[] not null default '{}',
  -- The word of what happened, such as a status.
  detail text,
  note text,
  -- Whether it is listed. One that is not listed is only mailed.
  in_product boolean not null,
  -- When it is mailed; null for one that was mailed, or is not.
  mail_at timestamptz,
  created_at timestamptz not null,
  read_at timestamptz,
  primary key (project_id, id),
  constraint notifications_cause_key unique (project_id, member_id, cause),
  constraint notifications_member_fkey foreign key (project_id, member_id)
    references members (project_id, id) on delete cascade
) with (fillfactor = 80);
create unique index notifications_open_likes on notifications (project_id, member_id, target_id)
  where kind = 'like' and read_at is null;
create index notifications_of_member on notifications (project_id, member_id, id) where in_product;
create index notifications_unread on notifications (project_id, member_id, id) where in_product and read_at is null;
create index notifications_to_mail on notifications (project_id, mail_at) where mail_at is not null;
create index notifications_to_mail_of_member on notifications (project_id, member_id, mail_at) where mail_at is not null;
create index notifications_by_age on notifications (project_id, created_at);
call app.tenant_table('notifications');

-- What a member wants to be told of, by kind: `{"in_product": …, "mail": …}`. What is not there is as the default says.
create table notification_preferences (
  project_id uuid not null,
  -- The member.
  id uuid not null,
  -- An IANA zone; null for the project's.
  time_zone text,
  reply jsonb not null default '{}',
  mention jsonb not null default '{}',
  answer jsonb not null default '{}',
  "like" jsonb not null default '{}',
  feedback_status jsonb not null default '{}',
  moderation jsonb not null default '{}',
  "order" jsonb not null default '{}',
  course jsonb not null default '{}',
  certificate jsonb not null default '{}',
  invitation jsonb not null default '{}',
  message jsonb not null default '{}',
  -- Of the last mail. The next one that is not a daily or weekly one comes an hour later.
  last_mail_at timestamptz,
  primary key (project_id, id),
  constraint notification_preferences_member_fkey foreign key (project_id, id)
    references members (project_id, id) on delete cascade
);
call app.tenant_table('notification_preferences');

-- When something is mailed that a member wants `now`, `daily` or `weekly`: digests come at 8 in the morning, weekly ones on Mondays.
create function app.notification_mail_at(mode text, zone text, last_mail_at timestamptz, moment timestamptz) returns timestamptz
  language sql stable set search_path = pg_catalog, pg_temp
  return case mode
    when 'now' then greatest(moment, last_mail_at + interval '1 hour')
    when 'daily' then (date_trunc('day', moment at time zone zone - interval '8 hours') + interval '1 day 8 hours') at time zone zone
    when 'weekly' then (date_trunc('week', moment at time zone zone - interval '8 hours') + interval '7 days 8 hours') at time zone zone
  end;

-- Mails of discussions and of feedback are made from notifications now.
drop table feedback_notices;
alter table feedback_votes drop column is_mailed;
alter table discussions drop column digest_due_at;
alter table discussion_members drop column last_mail_at;
