-- runs: alone
-- locks: none, the index is built beside the requests
create unique index concurrently certificates_member_key on certificates (project_id, course_id, member_id) where replaced_by is null;
