-- runs: alone
-- The last posts of a member, which rules count.
create index concurrently if not exists feedback_of_author_in_order on feedback (project_id, author_id, id) where author_id is not null;
