-- Statements of requests join by index alone, and random pages are read like others (decision 0121). Searches plan each statement
-- for its values, when it runs: by PostgreSQL's own prices, as they were measured.
alter function app.search_members set enable_hashjoin = on;
alter function app.search_members set enable_mergejoin = on;
alter function app.search_members set random_page_cost = 4;
alter function app.search_orders set enable_hashjoin = on;
alter function app.search_orders set random_page_cost = 4;
alter function app.find_submissions set enable_hashjoin = on;
alter function app.find_submissions set enable_mergejoin = on;
alter function app.find_submissions set random_page_cost = 4;
alter function app.search set random_page_cost = 4;
alter function app.search_alike set random_page_cost = 4;

-- Analyzes tables that have more than doubled since they were analyzed, and answers their names. PostgreSQL itself does so after a
-- minute or more; until then it keeps plans that were made for a table of no rows, in which every index is as good as any other.
-- A table that is being analyzed or changed by somebody else is left to the next call.
create function app.analyze_grown_tables() returns setof text
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
as $$
declare
  grown record;
begin
  for grown in
    select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and pg_stat_get_live_tuples(c.oid) > 20 + 2 * greatest(c.reltuples, 0)
  loop
    execute format('analyze (skip_locked) public.%I', grown.name);
    return next grown.name;
  end loop;
end $$;
revoke execute on function app.analyze_grown_tables() from public;
grant execute on function app.analyze_grown_tables() to guildhall_housekeeper;
