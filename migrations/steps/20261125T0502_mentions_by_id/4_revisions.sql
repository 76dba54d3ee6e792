-- runs: in batches
-- locks: none for long: revisions with mentions, 1,000 at a time
update post_revisions set content = app.mentions_by_id(content)
where project_id = app.current_project() and id = any (array(
  select id from post_revisions where project_id = app.current_project() and content like '%](%mem\_%'
    and app.mentions_by_id(content) <> content limit 1000
));
