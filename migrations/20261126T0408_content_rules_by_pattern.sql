-- Lists of rules are sorted by their patterns.
-- locks: none, the index is built beside the requests
-- runs: alone
create index concurrently if not exists content_rules_by_pattern on content_rules (project_id, url_pattern, id);
