-- runs: alone
-- locks: none, the index is built beside the requests
create index concurrently mails_by_stray_key on mails (project_id, stray_key) where stray_key is not null;
