-- runs: in batches
-- locks: none for long: discussions with mentions, 1,000 at a time
update discussions set content = app.mentions_by_id(content), content_html = app.mentions_in_html(content_html),
  excerpt = app.excerpt_of(app.mentions_in_html(content_html))
where project_id = app.current_project() and id = any (array(
  select id from discussions where project_id = app.current_project() and mentions <> '{}'
    and (app.mentions_by_id(content) <> content or app.mentions_in_html(content_html) <> content_html) limit 1000
));
