-- runs: alone
-- One case is open for each post.
create unique index concurrently if not exists moderation_cases_open_of_discussion on moderation_cases (project_id, discussion_id, comment_id)
  nulls not distinct where decision is null and discussion_id is not null;
