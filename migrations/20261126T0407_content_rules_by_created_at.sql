-- Lists of rules are sorted by the time of creation.
-- locks: none, the index is built beside the requests
-- runs: alone
create index concurrently if not exists content_rules_by_created_at on content_rules (project_id, created_at, id);
