-- A case counts the reports that there are: those of erased members are gone.
create function app.report_gone() returns trigger language plpgsql as $$
begin
  update moderation_cases set reports = reports - 1 where project_id = old.project_id and id = old.case_id;
  return null;
end $$;
create trigger report_gone after delete on reports for each row execute function app.report_gone();

-- As before, but that a comment which is hidden until a moderator decides stays the answer, which it is again when it is
-- shown; only a removed one answers nothing for good.
create or replace function app.comment_counted() returns trigger language plpgsql as $$
declare
  was integer := case when tg_op <> 'INSERT' and old.status = 'visible' then 1 else 0 end;
  is_now integer := case when tg_op <> 'DELETE' and new.status = 'visible' then 1 else 0 end;
  c comments := case when tg_op = 'DELETE' then old else new end;
begin
  if tg_op = 'DELETE' or c.status = 'removed' then
    update discussions set answer_id = null
      where project_id = c.project_id and id = c.discussion_id and answer_id = c.id;
  end if;
  if was = is_now then
    return null;
  end if;
  perform from discussions where project_id = c.project_id and id = c.discussion_id for no key update;
  if is_now = 1 then
    update discussions set comment_count = comment_count + 1, last_activity_at = greatest(last_activity_at, c.created_at)
      where project_id = c.project_id and id = c.discussion_id;
  else
    update discussions d set
      comment_count = comment_count - 1,
      last_activity_at = greatest(d.created_at, (
        select max(left_over.created_at) from comments left_over
        where left_over.project_id = c.project_id and left_over.discussion_id = c.discussion_id
          and left_over.status = 'visible'))
      where d.project_id = c.project_id and d.id = c.discussion_id;
  end if;
  if c.parent_id is not null then
    update comments set reply_count = reply_count + is_now - was where project_id = c.project_id and id = c.parent_id;
  end if;
  return null;
end $$;
