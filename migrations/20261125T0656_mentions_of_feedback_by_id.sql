-- runs: in batches
-- locks: none for long: rows of feedback with mentions, and their events, 1,000 at a time
-- Titles and messages of feedback keep mentions by the id of the member alone, as comments do; events carry ids. The items of a
-- project that has any are put into the search again. A text that would become too long, because its labels are empty, stays.
with typed as (
  select f.id, n.title, n.message from feedback f
    cross join lateral (select
      regexp_replace(f.title,
        '\[(?:[^][\\]|\\.|\[(?:[^][\\]|\\.)*\])*\]\(\s*<?(mem_[0-9a-hjkmnp-tv-z]{26})>?(?:\s+(?:"[^"]*"|''[^'']*''))?\s*\)',
        '[@](\1)', 'g') as title,
      regexp_replace(f.message,
        '\[(?:[^][\\]|\\.|\[(?:[^][\\]|\\.)*\])*\]\(\s*<?(mem_[0-9a-hjkmnp-tv-z]{26})>?(?:\s+(?:"[^"]*"|''[^'']*''))?\s*\)',
        '[@](\1)', 'g') as message) n
    where f.project_id = app.current_project() and (f.title like '%](%mem\_%' or f.message like '%](%mem\_%')
      and (n.title is distinct from f.title or n.message <> f.message)
      and coalesce(char_length(n.title), 0) <= 200 and char_length(n.message) <= 10000
    limit 1000
), items as (
  update feedback f set title = typed.title, message = typed.message from typed
    where f.project_id = app.current_project() and f.id = typed.id returning f.id
), again as (
  delete from search_fills s where s.project_id = app.current_project() and s.kind = 'feedback' and exists (select from items)
), logged as (
  select e.id, n.title, n.message from events e
    cross join lateral (select
      regexp_replace(e.payload->>'title',
        '\[(?:[^][\\]|\\.|\[(?:[^][\\]|\\.)*\])*\]\(\s*<?(mem_[0-9a-hjkmnp-tv-z]{26})>?(?:\s+(?:"[^"]*"|''[^'']*''))?\s*\)',
        '[@](\1)', 'g') as title,
      regexp_replace(e.payload->>'message',
        '\[(?:[^][\\]|\\.|\[(?:[^][\\]|\\.)*\])*\]\(\s*<?(mem_[0-9a-hjkmnp-tv-z]{26})>?(?:\s+(?:"[^"]*"|''[^'']*''))?\s*\)',
        '[@](\1)', 'g') as message) n
    where e.project_id = app.current_project()
      and e.type in ('feedback.created', 'feedback.updated', 'feedback.status_changed', 'feedback.merged', 'feedback.unmerged')
      and e.payload::text like '%](%mem\_%'
      and (n.title is distinct from e.payload->>'title' or n.message is distinct from e.payload->>'message')
    limit 1000
), told as (
  update events e
    set payload = (e.payload::jsonb || jsonb_strip_nulls(jsonb_build_object('title', logged.title, 'message', logged.message)))::json
    from logged where e.project_id = app.current_project() and e.id = logged.id returning e.id
)
select id from items union all select id from told;
