-- runs: alone
-- Another index begins with its columns.
drop index concurrently if exists feedback_of_author;
