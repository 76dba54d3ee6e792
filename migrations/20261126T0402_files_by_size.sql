-- Lists of files are sorted by their sizes.
-- locks: none, the index is built beside the requests
-- runs: alone
create index concurrently if not exists files_by_size on files (project_id, size, id);
