-- As before, but that the query is made once and not for each match, and that the words of matches are not carried along.
create or replace function app.search(
  sought_kind text, sought_words text, is_unfinished boolean, typed text, config regconfig, sought_locale text,
  audiences text[], most integer
) returns table (id uuid, locale text, rank real)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  set enable_seqscan = off
  set enable_indexscan = off
  set pg_trgm.word_similarity_threshold = 0.4
  rows 100
  begin atomic
    with asked as materialized (
      select app.search_query(sought_words, config, is_unfinished) as query
    ), exact as materialized (
      select d.id, d.locale, ts_rank(d.words, asked.query) as rank from asked, search_documents d
      where d.scope = sought_kind || ' ' || app.current_project()::text
        and d.words @@ asked.query
        and (sought_locale is null or d.locale = sought_locale)
        and (audiences is null or d.audience && audiences)
      limit most
    )
    select e.id, e.locale, e.rank from exact e
    union all
    select * from (
      select d.id, d.locale, word_similarity(typed, d.title) from search_documents d
      where not exists (select from exact)
        and d.scope = sought_kind || ' ' || app.current_project()::text
        and d.title %> typed
        and (sought_locale is null or d.locale = sought_locale)
        and (audiences is null or d.audience && audiences)
      limit most
    ) alike;
  end;
