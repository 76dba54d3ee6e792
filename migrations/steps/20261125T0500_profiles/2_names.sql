-- runs: alone
-- locks: none, the index is built beside the requests
create index concurrently members_by_name_prefix on members
  (project_id, (lower(normalize(full_name, nfkc)) collate "C"), id) where deleted_at is null and status = 'active' and full_name <> '';
