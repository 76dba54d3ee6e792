-- runs: in batches
-- locks: none for long: events of posts with mentions, 1,000 at a time
update events set payload = app.mentions_in_html(app.mentions_by_id(payload::text))::json
where project_id = app.current_project() and id = any (array(
  select id from events where project_id = app.current_project() and type in ('discussion.created', 'discussion.updated', 'discussion.answered', 'discussion.unanswered',
      'comment.created', 'comment.updated', 'feedback.commented') and payload::text like '%](%mem\_%'
    and app.mentions_in_html(app.mentions_by_id(payload::text)) <> payload::text limit 1000
));
