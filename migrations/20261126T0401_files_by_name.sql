-- Lists of files are sorted by their names.
-- locks: none, the index is built beside the requests
-- runs: alone
create index concurrently if not exists files_by_name on files (project_id, name, id);
