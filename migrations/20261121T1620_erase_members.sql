-- What is held on a member is forgotten by those who hold it: every area has its part in member-data.ts.
drop trigger if exists forget_member on members;
drop function if exists app.forget_member();
drop trigger if exists forget_passkeys on members;
drop function if exists app.forget_passkeys();
drop trigger if exists forget_sso_identities on members;
drop function if exists app.forget_sso_identities();

-- Mails to one address. A column of its own, as members.email_key is.
alter table mails add column to_key text not null generated always as (lower(to_address)) stored;
create index mails_by_to_key on mails (project_id, to_key);

-- The log of events is only ever added to, but for this: of what is told of members who are to be forgotten, ids stay. What
-- is still to be delivered is delivered so.
create function app.erase_events(forgotten uuid[]) returns void
  language sql security definer
  set search_path = pg_catalog, public, pg_temp
as $$
  update public.events
    set payload = json_strip_nulls(json_build_object('id', payload -> 'id', 'member_id', payload -> 'member_id'))
    where project_id = (select app.current_project()) and member_id = any (forgotten) and type <> 'member.deleted'
$$;
revoke execute on function app.erase_events(uuid[]) from public;
grant execute on function app.erase_events(uuid[]) to guildhall_api;
