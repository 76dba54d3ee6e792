-- As before, but that nothing reads all votes of a project: whether a voter counts already is asked of each item below, by
-- the index, and each item is changed by its key. A join let PostgreSQL hash every vote for one that came.
create or replace function app.feedback_votes_counted() returns trigger language plpgsql as $$
declare
  project uuid := app.current_project();
  step integer := case when tg_op = 'INSERT' then 1 else -1 end;
  counting uuid[] := array(select distinct up.id from changed, app.feedback_upwards(changed.feedback_id) as up (id));
  item uuid;
  voters bigint;
begin
  perform from feedback where project_id = project and id = any (counting) order by id for no key update;
  -- What others committed while this waited is seen from here on: each statement looks anew.
  for item, voters in
    select up.id, count(distinct changed.member_id)
    from changed, app.feedback_upwards(changed.feedback_id) as up (id)
    -- A value, not a condition that could become a join.
    where (
      select v.id from app.feedback_downwards(up.id) as down (id)
      join feedback_votes v on v.project_id = project and v.feedback_id = down.id and v.member_id = changed.member_id
      where v.id not in (select id from changed) limit 1
    ) is null
    group by up.id
  loop
    update feedback set vote_count = vote_count + step * voters where project_id = project and id = item;
  end loop;
  return null;
end $$;

create or replace function app.recount_feedback(items uuid[]) returns void language sql
  begin atomic
    update feedback f set vote_count = (
        select count(distinct v.member_id) from app.feedback_downwards(f.id) as down (id)
        join feedback_votes v on v.project_id = f.project_id and v.feedback_id = down.id)
    where f.project_id = app.current_project() and f.id = any (items);
  end;
