-- Lists of articles are sorted by their titles.
-- locks: none, the index is built beside the requests
-- runs: alone
create index concurrently if not exists help_articles_by_title on help_articles (project_id, title, id);
