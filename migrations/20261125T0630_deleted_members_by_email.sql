-- Whoever logs in to an account that was deleted is told so, after the right password.
-- locks: none, the index is built beside the requests
-- runs: alone
create index concurrently members_restorable_by_email on members (project_id, email_key, deleted_at)
  where deleted_at is not null and anonymized_at is null;
