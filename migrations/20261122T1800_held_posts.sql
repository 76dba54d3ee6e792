-- A held post is dated, and sorted, by when a moderator shows it: whoever has read up to there finds it at the end.
-- Comments that were refused before anybody could see them leave no empty place.
alter table comments alter column shown_at drop not null;
update comments t set shown_at = null
  where t.status <> 'visible' and exists (
    select from moderation_cases k where k.project_id = t.project_id and k.comment_id = t.id
      and k.kind = 'held' and k.decision is distinct from 'approved');

drop index comments_by_parent;
create index comments_by_parent on comments (project_id, discussion_id, parent_id, created_at, id);
drop index discussions_newest;
create index discussions_newest on discussions (project_id, status, created_at desc, id desc);
drop index discussions_unanswered;
create index discussions_unanswered on discussions
  (project_id, status, (comment_count = 0) desc, created_at desc, id desc);
