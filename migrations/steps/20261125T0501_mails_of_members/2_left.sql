-- runs: alone
-- locks: none, the index is built beside the requests
create index concurrently mails_left on mails (project_id, id) where member_id is null and stray_key is null;
