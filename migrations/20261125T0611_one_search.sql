-- One search for everything that members can find (decision 0018). Documents carry who may find them, their author and their
-- category as words of their own, so that one index answers all of it before anything is limited or counted.
-- locks: search_documents against everything, for an instant: columns without a value of their own
alter table search_documents add column written_at timestamptz;

-- Such a word: no word that people type begins with a plus. It is a hash, which is checked by the row's own columns.
create function app.search_key(project uuid, what text) returns text
  language sql immutable parallel safe
  return '+' || left(md5(project::text || ' ' || what), 16);

-- Who may find a document. What nobody may find has none.
create function app.search_gates(project uuid, kind text, audience text[]) returns text[]
  language sql immutable parallel safe
  return (
    select coalesce(array_agg(app.search_key(project, kind || ' for ' || each)), '{}')
    from unnest(case when audience = '{}' then '{}' else audience || '*'::text end) each
  );

-- The different words of a project, by which a misspelled word is corrected before the documents are asked.
create table search_words (
  project_id uuid not null,
  word text not null check (char_length(word) between 1 and 80),
  -- In Latin letters, as it sounds.
  sound text not null,
  primary key (project_id, word)
);
create index search_words_by_sound on search_words using gin (project_id, sound gin_trgm_ops)
  with (gin_pending_list_limit = 256);
call app.tenant_table('search_words');

do $$
begin
  execute format('create policy search on search_words for select to %I using (true)', current_user);
end $$;

-- How far the documents of a project are that were written before this search.
create table search_fills (
  project_id uuid not null,
  kind text not null check (char_length(kind) between 1 and 40),
  -- The last one that was looked at.
  after_id uuid,
  done_at timestamptz,
  primary key (project_id, kind)
);
call app.tenant_table('search_fills');

-- A query of several parts, each of alternatives, and of keys that a document must have: one of each.
create function app.search_query_of(parts text[], config regconfig, is_unfinished boolean, also_plain boolean) returns tsquery
  language sql immutable parallel safe
  return (
    select string_agg('(' || asked.part::text || ')', ' & ')::tsquery
    from (
      select app.search_query(words, config, is_unfinished and place = cardinality(parts), also_plain) as part
      from unnest(parts) with ordinality as given (words, place)
    ) asked
    where asked.part::text <> ''
  );

create function app.search_keys_query(keys text[]) returns tsquery
  language sql immutable parallel safe
  return (select string_agg(quote_literal(key), ' | ')::tsquery from unnest(keys) key);

-- The newest documents of a kind that fit, of those that are among the newest of all. For words that most documents have.
create function app.search_newest(
  project uuid, sought_kind text, sought tsquery, since timestamptz, looked_at integer, most integer
) returns table (id uuid, locale text, written_at timestamptz, words tsvector)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  set enable_seqscan = off
  set enable_bitmapscan = off
  set enable_sort = off
  rows 1000
  begin atomic
    select newest.id, newest.locale, newest.written_at, newest.words
    from (
      select d.id, d.locale, d.written_at, d.words
      from search_documents d
      where d.project_id = project and d.kind = sought_kind and d.written_at is not null
      order by d.written_at desc
      limit looked_at
    ) newest
    where newest.words @@ sought and (since is null or newest.written_at >= since)
    limit most;
  end;
revoke execute on function app.search_newest from public;

-- Documents of the current project that fit, up to `most` of each kind. Gates come first. Where a word is in many documents,
-- those that were written last are among them.
create function app.search_all(
  parts text[], config regconfig, is_unfinished boolean, also_plain boolean,
  kinds text[], gate_kinds text[], gate_names text[], author text, categories text[], since timestamptz, most integer
) returns table (kind text, id uuid, locale text, written_at timestamptz, rank real)
  language plpgsql stable security definer
  set search_path = pg_catalog, public, pg_temp
  set enable_seqscan = off
  set enable_indexscan = off
  set random_page_cost = 4
  rows 1000
as $$
declare
  project uuid := app.current_project();
  typed tsquery := app.search_query_of(parts, config, is_unfinished, also_plain);
  sought_kind text;
  gates text[];
  sought tsquery;
  -- What a match has, without what it must not have: that ranks nothing.
  wanted tsquery;
  matches integer;
  -- Of so many that were written last it is seen how frequent the words are.
  sample constant integer := 500;
begin
  if typed is null or project is null then
    return;
  end if;
  wanted := coalesce(nullif(nullif(querytree(typed), ''), 'T')::tsquery, typed);
  foreach sought_kind in array kinds loop
    gates := array(
      select app.search_key(project, sought_kind || ' for ' || name)
      from unnest(gate_kinds, gate_names) as gate (gate_kind, name) where gate_kind = sought_kind
    );
    continue when gates = '{}';
    sought := typed && app.search_keys_query(gates);
    if author is not null then
      sought := sought && app.search_keys_query(array[app.search_key(project, 'by ' || author)]);
    end if;
    if categories is not null then
      sought := sought && app.search_keys_query(array(select app.search_key(project, 'in ' || each) from unnest(categories) each));
    end if;
    select count(*) into matches from app.search_newest(project, sought_kind, sought, since, sample, sample);
    if matches > sample / 5 then
      return query select sought_kind, d.id, d.locale, d.written_at, ts_rank(d.words, wanted)
        from app.search_newest(project, sought_kind, sought, since, most * 5, most) d;
      get diagnostics matches = row_count;
      continue when matches >= most;
      -- Not so frequent in what is older: all of it is looked through.
      return query select sought_kind, d.id, d.locale, d.written_at, ts_rank(d.words, wanted)
        from search_documents d
        where d.words @@ sought and d.project_id::text = project::text and d.kind || '' = sought_kind
          and d.written_at is not null and (since is null or d.written_at >= since)
          and not exists (
            select from app.search_newest(project, sought_kind, sought, since, most * 5, most) newest
            where newest.id = d.id and newest.locale = d.locale
          )
        limit most - matches;
      continue;
    end if;
    return query
      with newest as materialized (
        select n.id, n.locale, n.written_at, ts_rank(n.words, wanted) as rank
        from app.search_newest(project, sought_kind, sought, since, sample, sample) n
      ), others as (
        select d.id, d.locale, d.written_at, ts_rank(d.words, wanted) as rank
        from search_documents d
        where d.words @@ sought and d.project_id::text = project::text and d.kind || '' = sought_kind
          and d.written_at is not null and (since is null or d.written_at >= since)
        limit most
      )
      select sought_kind, each.id, each.locale, each.written_at, each.rank
      from (select * from newest union select * from others) each limit most;
  end loop;
end $$;
revoke execute on function app.search_all from public;
grant execute on function app.search_all to guildhall_api;

-- Words of the current project that sound like each of these, or have it within them; the most alike first.
create function app.search_words_like(sounds text[], most integer) returns table (sound text, word text, alike text)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  set enable_seqscan = off
  set enable_indexscan = off
  set pg_trgm.similarity_threshold = 0.3
  rows 30
  begin atomic
    select asked.sound, found.word, found.alike
    from unnest(sounds) as asked (sound) cross join lateral (
      select w.word, w.sound as alike from search_words w
      where w.project_id = app.current_project() and (w.sound % asked.sound or w.sound like '%' || asked.sound || '%')
      order by similarity(w.sound, asked.sound) desc, w.word
      limit most
    ) found;
  end;
revoke execute on function app.search_words_like from public;
grant execute on function app.search_words_like to guildhall_api;
