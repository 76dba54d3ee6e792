-- Texts keep mentions by the id of the member alone; names are put in when they are read. The label that was typed goes from
-- the Markdown, the HTML and the excerpt, and from events, which carry ids.
create function pg_temp.mentions_by_id(source text) returns text language sql immutable as $$
  select regexp_replace(source,
    '\[(?:[^][\\]|\\.|\[(?:[^][\\]|\\.)*\])*\]\(\s*<?(mem_[0-9a-hjkmnp-tv-z]{26})>?(?:\s+(?:"[^"]*"|''[^'']*''))?\s*\)',
    '[@](\1)', 'g')
$$;
-- In HTML, and in HTML within JSON.
create function pg_temp.mentions_in_html(html text) returns text language sql immutable as $$
  select regexp_replace(html,
    '(<span class=\\?"mention\\?" data-member-id=\\?"mem_[0-9a-hjkmnp-tv-z]{26}\\?">)[^<]*(?:<(?!/span>)[^<]*)*</span>',
    '\1@</span>', 'g')
$$;
-- The beginning of the text of HTML whose mentions have no labels.
create function pg_temp.excerpt_of(html text) returns text language sql immutable as $$
  select regexp_replace(left(btrim(replace(replace(replace(replace(replace(
    regexp_replace(
      regexp_replace(html, '<span class="mention" data-member-id="(mem_[0-9a-hjkmnp-tv-z]{26})">@</span>', '[@](\1)', 'g'),
      '<[^>]*>', '', 'g'),
    '&lt;', '<'), '&gt;', '>'), '&quot;', '"'), '&#39;', ''''), '&amp;', '&'), E' \n'), 300),
    -- A mention that is cut.
    '\[(@(\](\((mem?_?[0-9a-z]*)?)?)?)?$', '')
$$;

-- The owner of the tables sees the rows of all projects here.
alter table discussions no force row level security;
alter table comments no force row level security;
alter table post_revisions no force row level security;
alter table feedback_comments no force row level security;
alter table events no force row level security;

-- Only rows with mentions are locked: nobody else waits.
update discussions set content = pg_temp.mentions_by_id(content), content_html = pg_temp.mentions_in_html(content_html),
  excerpt = pg_temp.excerpt_of(pg_temp.mentions_in_html(content_html)) where mentions <> '{}';
update comments set content = pg_temp.mentions_by_id(content), content_html = pg_temp.mentions_in_html(content_html),
  excerpt = pg_temp.excerpt_of(pg_temp.mentions_in_html(content_html)) where mentions <> '{}';
update post_revisions set content = pg_temp.mentions_by_id(content) where content like '%](%mem\_%';
update feedback_comments set content = pg_temp.mentions_by_id(content),
  content_html = pg_temp.mentions_in_html(content_html) where content like '%](%mem\_%';
update events set payload = pg_temp.mentions_in_html(pg_temp.mentions_by_id(payload::text))::json
  where type in ('discussion.created', 'discussion.updated', 'discussion.answered', 'discussion.unanswered',
      'comment.created', 'comment.updated', 'feedback.commented') and payload::text like '%](%mem\_%';

alter table discussions force row level security;
alter table comments force row level security;
alter table post_revisions force row level security;
alter table feedback_comments force row level security;
alter table events force row level security;
