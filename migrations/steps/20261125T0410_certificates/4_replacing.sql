-- runs: alone
-- locks: none, the index is built beside the requests
create index concurrently certificates_replacing on certificates (project_id, replaced_by) where replaced_by is not null;
