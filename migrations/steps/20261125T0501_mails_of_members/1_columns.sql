-- locks: mails and members for a moment; rows are not checked
-- A generated column would be written into every row at once, so a trigger keeps this one. `20261126T0771` makes both the same.
alter table mails add column member_id uuid, add column stray_key text;
create function app.keep_stray_key() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  new.stray_key := case when new.member_id is null then lower(new.to_address) end;
  return new;
end $$;
create trigger keep_stray_key before insert or update of member_id, to_address on mails
  for each row execute function app.keep_stray_key();
alter table mails add constraint mails_member_fkey foreign key (project_id, member_id)
  references members (project_id, id) on delete set null (member_id) not valid;
