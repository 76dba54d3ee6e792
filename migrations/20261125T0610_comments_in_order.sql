-- Flat lists of a discussion read all its comments in the order of time, whatever they reply to.
-- runs: alone
create index concurrently if not exists comments_in_order on comments (project_id, discussion_id, created_at, id);
