-- runs: alone
-- Another index begins with its columns.
drop index concurrently if exists feedback_comments_of_author;
