-- Lists of articles are sorted by the time of creation, and read from one time to another.
-- locks: none, the index is built beside the requests
-- runs: alone
create index concurrently if not exists help_articles_by_created_at on help_articles (project_id, created_at, id);
