-- runs: alone
-- locks: none, the index is built beside the requests
create index concurrently members_deleted_by_email on members (project_id, email_key) where deleted_at is not null;
