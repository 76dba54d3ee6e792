-- A mail belongs to the member it was written to, so that it is exported and erased with that member: not with whoever has
-- the address later.
-- contract: the version before reads mails by `to_key`, which the address replaces; there was no release before this one
alter table mails no force row level security;
alter table members no force row level security;
alter table mails add column member_id uuid,
  -- The address of a mail that was sent to nobody who was a member.
  add column stray_key text generated always as (case when member_id is null then lower(to_address) end) stored;

-- Of all who have had the address, the one who had it when the mail was made.
update mails set member_id = (
  select m.id from members m
  where m.project_id = mails.project_id and m.email_key = mails.to_key
    and m.created_at <= mails.created_at and (m.deleted_at is null or m.deleted_at > mails.created_at)
  order by m.created_at desc limit 1
);

alter table mails add constraint mails_member_fkey foreign key (project_id, member_id)
  references members (project_id, id) on delete set null (member_id);
create index mails_by_member on mails (project_id, member_id, id) where member_id is not null;
create index mails_by_stray_key on mails (project_id, stray_key) where stray_key is not null;
-- Its index goes with it.
alter table mails drop column to_key;
alter table mails force row level security;
alter table members force row level security;
