-- Compounds and typing errors are found in texts, too, and words without a language in the forms of their script (decision 0018).

-- The different words of title and text in Latin letters, as they sound, between spaces. A document from before has none until it is written again.
alter table search_documents add column spelling text not null default '';
create index search_documents_spellings on search_documents using gin (scope, spelling gin_trgm_ops)
  with (gin_pending_list_limit = 256);

-- What people type, in the words of a language and, where `also_plain`, also just as it is typed: what no language is named for may be of any.
create function app.search_query(words text, config regconfig, is_unfinished boolean, also_plain boolean) returns tsquery
  language sql immutable parallel safe
  return case when also_plain
    then app.search_query(words, config, is_unfinished) || app.search_query(words, 'simple', is_unfinished)
    else app.search_query(words, config, is_unfinished) end;

-- As before; and where no document has all the words, also those whose text has them within other words or spelled alike. `parts` are the
-- words that are long enough for it. Of the longest of them, one half stands in the text as it is, whatever letter is wrong: `likes` are the
-- patterns that say so, and the index finds the documents by them.
create function app.search(
  sought_kind text, sought_words text, is_unfinished boolean, also_plain boolean, typed text, parts text[], likes text[],
  config regconfig, sought_locale text, audiences text[], most integer
) returns table (id uuid, locale text, rank real)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  set enable_seqscan = off
  set enable_indexscan = off
  set pg_trgm.word_similarity_threshold = 0.4
  set random_page_cost = 4
  rows 100
  begin atomic
    with asked as materialized (
      select app.search_query(sought_words, config, is_unfinished, also_plain) as query
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
    select alike.id, alike.locale, max(alike.rank) from (
      (select d.id, d.locale, word_similarity(typed, d.title) as rank from search_documents d
        where not exists (select from exact)
          and d.scope = sought_kind || ' ' || app.current_project()::text
          and d.title %> typed
          and (sought_locale is null or d.locale = sought_locale)
          and (audiences is null or d.audience && audiences)
        limit most)
      union all
      (select d.id, d.locale, 0.3::real from search_documents d
        where not exists (select from exact)
          and cardinality(parts) > 0
          and d.scope = sought_kind || ' ' || app.current_project()::text
          and (d.spelling like likes[1] or d.spelling like likes[2] or d.spelling like likes[3])
          and not exists (
            select from unnest(parts) part
            where strpos(d.spelling, part) = 0 and (length(part) < 6 or word_similarity(part, d.spelling) < 0.5)
          )
          and (sought_locale is null or d.locale = sought_locale)
          and (audiences is null or d.audience && audiences)
        limit most)
    ) alike
    group by alike.id, alike.locale;
  end;
revoke execute on function app.search(text, text, boolean, boolean, text, text[], text[], regconfig, text, text[], integer) from public;
grant execute on function app.search(text, text, boolean, boolean, text, text[], text[], regconfig, text, text[], integer)
  to guildhall_api;
