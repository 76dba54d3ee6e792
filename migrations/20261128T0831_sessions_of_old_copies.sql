-- locks: nothing that is there

-- The removal of a project ends no session: its tokens are refused because it was deleted, or are forwarded because it lives in another
-- cell. If it comes back within an hour, its sessions go on, and no process may believe that they have ended.
create or replace function app.announce_ended_session() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp
as $$
begin
  if tg_op = 'DELETE' and (
    exists (select from project_locations l where l.id = old.project_id)
    or exists (select from projects p where p.id = old.project_id and p.deleted_at is not null)
  ) then
    return null;
  end if;
  perform pg_notify('guildhall_ended_sessions', old.id::text);
  return null;
end $$;
revoke execute on function app.announce_ended_session() from public;
