-- A certificate that was issued anew names the one that replaced it. Of those of a member for a course, one is not replaced.
alter table certificates
  add column replaced_by uuid,
  add constraint certificates_replaced_by_fkey foreign key (project_id, replaced_by)
    references certificates (project_id, id),
  add constraint certificates_replaced_by_another check (replaced_by <> id);
alter table certificates drop constraint certificates_member_key;
create unique index certificates_member_key on certificates (project_id, course_id, member_id) where replaced_by is null;
create index certificates_of_course on certificates (project_id, course_id);
create index certificates_replacing on certificates (project_id, replaced_by) where replaced_by is not null;

-- The language of what Guildhall writes for a project, and where the project shows certificates. `{code}` stands for the code.
alter table projects
  add column language text not null default 'en' check (language in ('en', 'de', 'es')),
  add column certificate_url text check (certificate_url ~ '^https?://' and certificate_url like '%{code}%');
