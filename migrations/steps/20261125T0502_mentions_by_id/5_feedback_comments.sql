-- runs: in batches
-- locks: none for long: comments on feedback with mentions, 1,000 at a time
update feedback_comments set content = app.mentions_by_id(content),
  content_html = app.mentions_in_html(content_html)
where project_id = app.current_project() and id = any (array(
  select id from feedback_comments where project_id = app.current_project() and content like '%](%mem\_%'
    and (app.mentions_by_id(content) <> content or app.mentions_in_html(content_html) <> content_html) limit 1000
));
