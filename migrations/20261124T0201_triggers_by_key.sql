create or replace function app.discussion_liked() returns trigger language plpgsql as $$
declare
  step integer := (case when tg_op <> 'DELETE' and new.liked then 1 else 0 end)
    - (case when tg_op <> 'INSERT' and old.liked then 1 else 0 end);
  project uuid := coalesce(new.project_id, old.project_id);
  discussion uuid := coalesce(new.discussion_id, old.discussion_id);
begin
  if step <> 0 then
    update discussions set likes = likes + step where project_id = project and id = discussion;
  end if;
  return null;
end $$;
create or replace function app.comment_liked() returns trigger language plpgsql as $$
declare
  step integer := case tg_op when 'INSERT' then 1 else -1 end;
  project uuid := coalesce(new.project_id, old.project_id);
  comment uuid := coalesce(new.comment_id, old.comment_id);
begin
  update comments set likes = likes + step where project_id = project and id = comment;
  return null;
end $$;
alter function app.feedback_downwards rows 2;
alter function app.feedback_upwards rows 2;
