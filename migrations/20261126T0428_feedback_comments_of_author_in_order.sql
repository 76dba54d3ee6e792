-- runs: alone
create index concurrently if not exists feedback_comments_of_author_in_order on feedback_comments (project_id, author_id, id)
  where author_id is not null;
