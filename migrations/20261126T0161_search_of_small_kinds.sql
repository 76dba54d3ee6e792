-- The one search takes no time for kinds of which a project has little (decision 0018). What it finds is the same.
-- locks: none: functions alone

-- How many documents of a kind there are, up to so many.
create function app.search_size(project uuid, sought_kind text, most integer) returns integer
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  set enable_seqscan = off
  set enable_bitmapscan = off
  begin atomic
    select count(*)::integer from (
      select from search_documents d
      where d.project_id = project and d.kind = sought_kind and d.written_at is not null
      order by d.written_at desc
      limit most
    ) few;
  end;
revoke execute on function app.search_size from public;

-- As before. Where the newest documents of a kind are all of them, the index of words is not asked: it would read all that other kinds
-- have of a word that is still being typed.
create or replace function app.search_all(
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
      continue when matches >= most or app.search_size(project, sought_kind, most * 5) < most * 5;
      -- Not so frequent in what is older: all of it is looked through.
      return query select sought_kind, d.id, d.locale, d.written_at, ts_rank(d.words, wanted)
        from search_documents d
        where d.words @@ sought and d.project_id is not distinct from project and d.kind is not distinct from sought_kind
          and d.written_at is not null and (since is null or d.written_at >= since)
          and (d.id, d.locale) not in (
            select newest.id, newest.locale
            from app.search_newest(project, sought_kind, sought, since, most * 5, most) newest
          )
        limit most - matches;
      continue;
    end if;
    if app.search_size(project, sought_kind, sample) < sample then
      return query select sought_kind, n.id, n.locale, n.written_at, ts_rank(n.words, wanted)
        from app.search_newest(project, sought_kind, sought, since, sample, sample) n;
      continue;
    end if;
    return query
      with newest as materialized (
        select n.id, n.locale, n.written_at, ts_rank(n.words, wanted) as rank
        from app.search_newest(project, sought_kind, sought, since, sample, sample) n
      )
      select sought_kind, each.id, each.locale, each.written_at, each.rank
      from (
        select * from newest
        union all
        (select d.id, d.locale, d.written_at, ts_rank(d.words, wanted)
          from search_documents d
          where d.words @@ sought and d.project_id is not distinct from project and d.kind is not distinct from sought_kind
            and d.written_at is not null and (since is null or d.written_at >= since)
            and (d.id, d.locale) not in (select newest.id, newest.locale from newest)
          limit most)
      ) each
      limit most;
  end loop;
end $$;
