-- locks: none: functions alone
create or replace function app.mentions_by_id(source text) returns text language sql immutable as $$
  select regexp_replace(source,
    '\[(?:[^][\\]|\\.|\[(?:[^][\\]|\\.)*\])*\]\(\s*<?(mem_[0-9a-hjkmnp-tv-z]{26})>?(?:\s+(?:"[^"]*"|''[^'']*''))?\s*\)',
    '[@](\1)', 'g')
$$;
-- In HTML, and in HTML within JSON.
create or replace function app.mentions_in_html(html text) returns text language sql immutable as $$
  select regexp_replace(html,
    '(<span class=\\?"mention\\?" data-member-id=\\?"mem_[0-9a-hjkmnp-tv-z]{26}\\?">)[^<]*(?:<(?!/span>)[^<]*)*</span>',
    '\1@</span>', 'g')
$$;
-- The beginning of the text of HTML whose mentions have no labels.
create or replace function app.excerpt_of(html text) returns text language sql immutable as $$
  select regexp_replace(left(btrim(replace(replace(replace(replace(replace(
    regexp_replace(
      regexp_replace(html, '<span class="mention" data-member-id="(mem_[0-9a-hjkmnp-tv-z]{26})">@</span>', '[@](\1)', 'g'),
      '<[^>]*>', '', 'g'),
    '&lt;', '<'), '&gt;', '>'), '&quot;', '"'), '&#39;', ''''), '&amp;', '&'), E' \n'), 300),
    -- A mention that is cut.
    '\[(@(\](\((mem?_?[0-9a-z]*)?)?)?)?$', '')
$$;
