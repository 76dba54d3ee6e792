-- Deletes members for good. One that others still refer to (posts, files, certificates, ratings) stays as the bare row that
-- forgetting has left of it, and keeps nobody else from being deleted.
create function app.purge_members(gone uuid[]) returns void
  language plpgsql
  set search_path = pg_catalog, public, pg_temp
as $$
declare
  one uuid;
begin
  begin
    delete from members where id = any (gone);
    return;
  exception when foreign_key_violation then
    null;
  end;
  foreach one in array gone loop
    begin
      delete from members where id = one;
    exception when foreign_key_violation then
      null;
    end;
  end loop;
end $$;
