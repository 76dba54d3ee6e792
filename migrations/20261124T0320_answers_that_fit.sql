-- What is answered in place of HTML that is too long: its text.
create function app.text_as_html(content text) returns text language sql immutable parallel safe as $$
  select '<p>' || replace(replace(replace(content, '&', '&amp;'), '<', '&lt;'), '>', '&gt;') || '</p>'
$$;

-- The values of an object, with texts cut; together they are no longer than one text of so many characters. What is no text and
-- longer than its share becomes null.
create function app.shorten_values(object jsonb, characters int) returns jsonb language sql immutable parallel safe as $$
  select coalesce(jsonb_object_agg(key, case
      when length(value::text) <= share then value
      when jsonb_typeof(value) = 'string' then to_jsonb(left(value #>> '{}', share))
      else 'null'::jsonb end), '{}')
  from jsonb_each(object),
    (select greatest(characters / greatest((select count(*) from jsonb_object_keys(object)), 1), 1)::int as share) as of
$$;

-- HTML from before there was a bound is shown as its text.
do $$
declare name text;
begin
  foreach name in array array['discussions', 'comments', 'feedback_comments', 'help_articles', 'help_article_versions',
      'help_translations', 'lessons'] loop
    execute format('alter table %I no force row level security', name);
    execute format('update %I set content_html = app.text_as_html(content)
      where octet_length(content_html) > 4 * octet_length(content) + 4096', name);
    execute format('alter table %I force row level security', name);
  end loop;
end $$;
