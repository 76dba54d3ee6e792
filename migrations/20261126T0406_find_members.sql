-- Lists of what members have, such as bills, are searched by the members' names and addresses (decision 0018).
-- locks: none: a function alone

-- Ids of members whose address or name has the text, of those who are deleted too. `sought` and its pattern are in lower case.
create function app.find_members(sought text, pattern text) returns setof uuid
  language plpgsql stable security definer
  set search_path = pg_catalog, public, pg_temp
  set jit = off
  -- As app.search_members.
  set enable_seqscan = on
  set random_page_cost = 4
  rows 100
as $$
declare
  most_found constant integer := 10000;
  parts text := app.rare_parts(sought);
begin
  return query execute format(
    '(select m.id from members m where m.project_id = $1 and m.deleted_at is null and m.search_text like $2%s limit %s)
     union all
     (select m.id from members m where m.project_id = $1 and m.deleted_at is not null and m.search_text like $2 limit %s)',
    ' and ' || parts, most_found, most_found)
    using app.current_project(), pattern;
end $$;
revoke execute on function app.find_members from public;
grant execute on function app.find_members to guildhall_api;
