-- The address of a mail to nobody who was a member is kept by a trigger, in databases of every age: a generated column would be
-- written into all rows at once by an upgrade from version 0.1.0.
-- locks: mails for a moment: no row is read
alter table mails alter column stray_key drop expression if exists;
create or replace function app.keep_stray_key() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  new.stray_key := case when new.member_id is null then lower(new.to_address) end;
  return new;
end $$;
create or replace trigger keep_stray_key before insert or update of member_id, to_address, stray_key on mails
  for each row execute function app.keep_stray_key();
