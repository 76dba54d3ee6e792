-- runs: alone
-- locks: none, the index is built beside the requests
create index concurrently mails_by_member on mails (project_id, member_id, id) where member_id is not null;
