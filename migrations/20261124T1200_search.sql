-- One search for what members and teams write: discussions, feedback, articles of the help center (decision 0018).

-- Areas keep their documents here in the transaction that writes what is searched. No index for words is of use behind row-level security,
-- so that a function of the tables' owner asks it, says itself whose rows it answers, and answers ids and ranks alone.
create table search_documents (
  project_id uuid not null,
  -- What it is: `discussion`, `feedback`, `article`.
  kind text not null check (kind ~ '^[a-z_]{1,40}$'),
  id uuid not null,
  -- Of what is written in several languages, which; else empty.
  locale text not null default '',
  -- Who may find it: whoever belongs to one of these.
  audience text[] not null,
  title text not null,
  words tsvector not null,
  -- The project and the kind, as searches name them: so no index but theirs fits, whatever is known of the table's rows.
  scope text not null generated always as (kind || ' ' || project_id::text) stored,
  primary key (project_id, kind, id, locale)
);
create index search_documents_words on search_documents using gin (scope, words)
  with (gin_pending_list_limit = 256);
create index search_documents_titles on search_documents using gin (scope, title gin_trgm_ops)
  with (gin_pending_list_limit = 256);
call app.tenant_table('search_documents');

do $$
begin
  execute format('create policy search on search_documents for select to %I using (true)', current_user);
end $$;

-- What people type as a query: words, "phrases", -not and or. Nothing that can be typed is an error.
create function app.search_query(words text, config regconfig, is_unfinished boolean) returns tsquery
  language sql immutable parallel safe
  return (
    select case when is_unfinished and typed::text like '%''' then (typed::text || ':*')::tsquery else typed end
    from websearch_to_tsquery(config, words) typed
  );

-- Documents of the current project that have all the words; where none has, those whose title is spelled like what was
-- typed. Gates come first: what nobody of the audiences may see takes no place, and null sees all. At most `most` are
-- looked at, so that a word that everything has stays cheap.
-- The query is made once and not for each match, and the words of matches are not carried along.
create function app.search(
  sought_kind text, sought_words text, is_unfinished boolean, typed text, config regconfig, sought_locale text,
  audiences text[], most integer
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
revoke execute on function app.search from public;
grant execute on function app.search to guildhall_api;

-- Documents whose title is like another one, the most alike first.
create function app.search_alike(sought_kind text, typed text, sought_locale text, audiences text[], most integer)
  returns table (id uuid, locale text, rank real)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  set enable_seqscan = off
  set enable_indexscan = off
  set pg_trgm.similarity_threshold = 0.25
  set random_page_cost = 4
  rows 10
  begin atomic
    select d.id, d.locale, similarity(d.title, typed) as rank from search_documents d
    where d.scope = sought_kind || ' ' || app.current_project()::text and d.title % typed
      and (sought_locale is null or d.locale = sought_locale)
      and (audiences is null or d.audience && audiences)
    order by rank desc, d.id desc
    limit most;
  end;
revoke execute on function app.search_alike from public;
grant execute on function app.search_alike to guildhall_api;
