-- runs: alone
-- locks: none, the index is built beside the requests
create index concurrently certificates_of_course on certificates (project_id, course_id);
