-- locks: certificates and projects for a moment, to which columns are added; rows are not checked
-- without: alter table certificates
-- without: create unique index certificates_member_key
-- without: create index certificates_of_course
-- without: create index certificates_replacing
alter table certificates
  add column replaced_by uuid,
  add constraint certificates_replaced_by_fkey foreign key (project_id, replaced_by)
    references certificates (project_id, id) not valid,
  add constraint certificates_replaced_by_another check (replaced_by <> id) not valid;
-- The version before finds by it which certificates there are.
alter table certificates rename constraint certificates_member_key to certificates_member_key_before;
