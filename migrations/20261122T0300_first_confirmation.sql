-- Nobody gets into an account that somebody else prepared.

alter table members
  -- An address before the present one was confirmed: whoever confirms this one is not the first.
  add column verified_before boolean not null default false,
  -- Why a member is pending. Null: an operator has said so, and nobody else lifts it.
  add column pending_reason text check (pending_reason in ('sign_up', 'invitation')),
  add constraint members_pending_reason check (pending_reason is null or status = 'pending');

alter table member_passwords
  -- Who chose it. An operator's stays when an address is confirmed for the first time, anybody else's does not.
  add column set_by text not null default 'member' check (set_by in ('member', 'operator'));

alter table one_time_tokens
  -- Of the sign-up that it completes: it becomes a password when the mail's code comes back.
  add column password_hash text,
  -- Only who knows what it was made from can use what the mail brought (PKCE, S256).
  add column code_challenge text;

alter table sessions drop constraint sessions_end_reason_check;
alter table sessions add constraint sessions_end_reason_check check (end_reason in
  ('logout', 'revoked', 'password', 'token_reuse', 'member_inactive', 'first_confirmation'));

-- Those who have signed up, or were invited, and have not confirmed their address yet. Force is off for the moment
-- that this takes, because a migration belongs to no project.
alter table members no force row level security;
alter table events no force row level security;
alter table invitations no force row level security;
update members m set pending_reason = 'invitation'
  where status = 'pending' and exists (select from invitations i
    where i.project_id = m.project_id and i.member_id = m.id and i.status = 'pending');
update members m set pending_reason = 'sign_up'
  where status = 'pending' and pending_reason is null and email_verified_at is null
    and exists (select from events e where e.project_id = m.project_id and e.member_id = m.id
      and e.type = 'member.signed_up');
alter table members force row level security;
alter table events force row level security;
alter table invitations force row level security;
