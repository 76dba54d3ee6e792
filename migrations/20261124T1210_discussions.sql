-- Discussions: threads in categories, comments at any depth, and what members do with them.

-- Where discussions are begun, and who reads and writes there.
create table discussion_categories (
  project_id uuid not null,
  id uuid not null,
  slug text not null check (char_length(slug) between 1 and 80),
  name text not null check (char_length(name) between 1 and 80),
  description text not null default '',
  position integer not null default 0,
  -- Members on one of these read and write here; everybody where there is none.
  required_plans uuid[] not null default '{}',
  -- A member's first post waits for a moderator.
  moderated boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, id),
  constraint discussion_categories_slug_key unique (project_id, slug)
);
call app.tenant_table('discussion_categories');
call app.limited_table('discussion_categories', 500, 'discussion categories');

-- A thread: its first post.
create table discussions (
  project_id uuid not null,
  id uuid not null,
  category_id uuid not null,
  author_id uuid not null,
  title text not null check (char_length(title) between 1 and 200),
  content text not null,
  -- Rendered and sanitized when it was written.
  content_html text not null,
  -- The beginning as plain text, for mails.
  excerpt text not null default '',
  mentions uuid[] not null default '{}',
  attachments uuid[] not null default '{}',
  -- `pending` waits for a moderator: a first post, or one that was reported often.
  status text not null default 'visible' check (status in ('visible', 'pending', 'removed')),
  is_pinned boolean not null default false,
  is_locked boolean not null default false,
  -- Kept exact by the triggers below.
  likes integer not null default 0 check (likes >= 0),
  comment_count integer not null default 0 check (comment_count >= 0),
  last_activity_at timestamptz not null,
  answer_id uuid,
  -- When the job runs that tells subscribers what is new; null while none is asked for.
  digest_due_at timestamptz,
  -- Since when everybody can see it.
  shown_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  edited_at timestamptz,
  primary key (project_id, id),
  constraint discussions_category_fkey foreign key (project_id, category_id)
    references discussion_categories (project_id, id),
  constraint discussions_author_fkey foreign key (project_id, author_id) references members (project_id, id)
) with (fillfactor = 80);
create index discussions_latest on discussions
  (project_id, status, is_pinned desc, last_activity_at desc, id desc);
create index discussions_latest_in_category on discussions
  (project_id, category_id, status, is_pinned desc, last_activity_at desc, id desc);
create index discussions_top on discussions (project_id, status, likes desc, id desc);
create index discussions_by_author on discussions (project_id, author_id, id desc);
create index discussions_newest on discussions (project_id, status, created_at desc, id desc);
create index discussions_unanswered on discussions
  (project_id, status, (comment_count = 0) desc, created_at desc, id desc);
-- Subscribers who had a mail within the hour are told later, by the clock of their project.
create index discussions_digest_due on discussions (project_id, digest_due_at) where digest_due_at is not null;
create index discussions_by_answer on discussions (project_id, answer_id) where answer_id is not null;
call app.tenant_table('discussions');

-- A comment on a discussion, or a reply to another comment of it.
create table comments (
  project_id uuid not null,
  id uuid not null,
  discussion_id uuid not null,
  parent_id uuid,
  author_id uuid not null,
  content text not null,
  content_html text not null,
  excerpt text not null default '',
  mentions uuid[] not null default '{}',
  attachments uuid[] not null default '{}',
  status text not null default 'visible' check (status in ('visible', 'pending', 'removed')),
  likes integer not null default 0 check (likes >= 0),
  -- Visible replies to it.
  reply_count integer not null default 0 check (reply_count >= 0),
  -- Since when everybody can see it: a held post is dated, and sorted, by when a moderator shows it, so that whoever has read up
  -- to there finds it at the end. Null for one that was refused before anybody could see it, which leaves no empty place.
  shown_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  edited_at timestamptz,
  primary key (project_id, id),
  constraint comments_in_discussion_key unique (project_id, discussion_id, id),
  constraint comments_discussion_fkey foreign key (project_id, discussion_id)
    references discussions (project_id, id) on delete cascade,
  constraint comments_parent_fkey foreign key (project_id, discussion_id, parent_id)
    references comments (project_id, discussion_id, id),
  constraint comments_author_fkey foreign key (project_id, author_id) references members (project_id, id)
) with (fillfactor = 90);
create index comments_by_time on comments (project_id, discussion_id, status, created_at);
create index comments_by_showing on comments (project_id, discussion_id, shown_at);
create index comments_by_author on comments (project_id, author_id, id desc);
create index comments_by_parent on comments (project_id, discussion_id, parent_id, created_at, id);
call app.tenant_table('comments');

alter table discussions add constraint discussions_answer_fkey
  foreign key (project_id, answer_id) references comments (project_id, id);

-- What a post said before it was edited.
create table post_revisions (
  project_id uuid not null,
  id uuid not null,
  discussion_id uuid not null,
  -- Null where it is of the discussion itself.
  comment_id uuid,
  author_id uuid not null,
  -- The public id of the key or member that replaced it.
  replaced_by text,
  title text,
  content text not null,
  created_at timestamptz not null,
  primary key (project_id, id),
  constraint post_revisions_discussion_fkey foreign key (project_id, discussion_id)
    references discussions (project_id, id) on delete cascade,
  constraint post_revisions_comment_fkey foreign key (project_id, comment_id)
    references comments (project_id, id) on delete cascade,
  constraint post_revisions_author_fkey foreign key (project_id, author_id) references members (project_id, id)
);
create index post_revisions_of_discussion on post_revisions (project_id, discussion_id, comment_id, id);
create index post_revisions_by_author on post_revisions (project_id, author_id);
create index post_revisions_of_comment on post_revisions (project_id, comment_id) where comment_id is not null;
call app.tenant_table('post_revisions');
revoke update on post_revisions from guildhall_api;

-- What a member has to do with a discussion: likes it, wants mails of it, has read it.
create table discussion_members (
  project_id uuid not null,
  discussion_id uuid not null,
  member_id uuid not null,
  liked boolean not null default false,
  -- `on` and `off` are the member's wish; `mentioned` is told of mentions alone.
  subscription text check (subscription in ('on', 'off', 'mentioned')),
  -- The activity that was there when it was last read.
  read_up_to timestamptz,
  -- Posts up to here have been told, or were there before the subscription.
  told_up_to timestamptz not null,
  last_mail_at timestamptz,
  primary key (project_id, discussion_id, member_id),
  constraint discussion_members_discussion_fkey foreign key (project_id, discussion_id)
    references discussions (project_id, id) on delete cascade,
  constraint discussion_members_member_fkey foreign key (project_id, member_id)
    references members (project_id, id) on delete cascade
) with (fillfactor = 80);
create index discussion_members_by_member on discussion_members (project_id, member_id, discussion_id);
call app.tenant_table('discussion_members');

-- Who likes a comment.
create table comment_likes (
  project_id uuid not null,
  comment_id uuid not null,
  member_id uuid not null,
  created_at timestamptz not null,
  primary key (project_id, comment_id, member_id),
  constraint comment_likes_comment_fkey foreign key (project_id, comment_id)
    references comments (project_id, id) on delete cascade,
  constraint comment_likes_member_fkey foreign key (project_id, member_id)
    references members (project_id, id) on delete cascade
);
create index comment_likes_by_member on comment_likes (project_id, member_id, comment_id);
call app.tenant_table('comment_likes');

-- What a moderator has to decide: something that was reported, or a first post that is held. One is open per target.
create table moderation_cases (
  project_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('reported', 'held')),
  discussion_id uuid not null,
  -- Null where it is about the discussion itself.
  comment_id uuid,
  -- Those that count.
  reports integer not null default 0,
  decision text check (decision in ('approved', 'removed')),
  reason text,
  -- The public id of the key or member that decided.
  decided_by text,
  decided_at timestamptz,
  created_at timestamptz not null,
  primary key (project_id, id),
  constraint moderation_cases_decided check ((decision is null) = (decided_at is null)),
  constraint moderation_cases_discussion_fkey foreign key (project_id, discussion_id)
    references discussions (project_id, id) on delete cascade,
  constraint moderation_cases_comment_fkey foreign key (project_id, comment_id)
    references comments (project_id, id) on delete cascade
);
create unique index moderation_cases_open on moderation_cases (project_id, discussion_id, comment_id)
  nulls not distinct where decision is null;
create index moderation_cases_of_comment on moderation_cases (project_id, comment_id) where comment_id is not null;
create index moderation_cases_of_discussion on moderation_cases (project_id, discussion_id);
-- Open cases and decided ones are asked for by a condition that the index has.
create index moderation_cases_queue on moderation_cases (project_id, id) where decision is null;
create index moderation_cases_decided_queue on moderation_cases (project_id, id) where decision is not null;
call app.tenant_table('moderation_cases');

-- A member who reported a post, and why.
create table reports (
  project_id uuid not null,
  id uuid not null,
  case_id uuid not null,
  member_id uuid not null,
  reason text not null,
  note text,
  created_at timestamptz not null,
  -- It counts unless it is the author's own, or its member reported the post before a moderator approved it.
  counts boolean not null default true,
  primary key (project_id, id),
  constraint reports_once_key unique (project_id, case_id, member_id),
  constraint reports_case_fkey foreign key (project_id, case_id)
    references moderation_cases (project_id, id) on delete cascade,
  constraint reports_member_fkey foreign key (project_id, member_id)
    references members (project_id, id) on delete cascade
);
create index reports_by_member on reports (project_id, member_id);
-- Those that are shown with a case.
create index reports_of_case on reports (project_id, case_id, id);
call app.tenant_table('reports');

-- Discussions per category and status, kept exact by the triggers below; slotted like member_counts.
create table discussion_counts (
  project_id uuid not null,
  category_id uuid not null,
  status text not null,
  slot smallint not null default pg_backend_pid() % 64,
  discussions bigint not null,
  primary key (project_id, category_id, status, slot),
  constraint discussion_counts_category_fkey foreign key (project_id, category_id)
    references discussion_categories (project_id, id) on delete cascade
) with (fillfactor = 50);
call app.tenant_table('discussion_counts');

create function app.discussion_counted() returns trigger language plpgsql as $$
begin
  insert into discussion_counts as c (project_id, category_id, status, discussions)
    select moved.project_id, moved.category_id, moved.status, sum(moved.step)
    from (
      select old.project_id, old.category_id, old.status, -1 as step where tg_op <> 'INSERT'
      union all select new.project_id, new.category_id, new.status, 1 where tg_op <> 'DELETE'
    ) as moved
    group by 1, 2, 3 having sum(moved.step) <> 0 order by 1, 2, 3
    on conflict (project_id, category_id, status, slot) do update set discussions = c.discussions + excluded.discussions;
  return null;
end $$;
create trigger discussion_counted after insert or delete or update of status, category_id on discussions
  for each row execute function app.discussion_counted();

-- A comment counts while it is visible, in its discussion and in the comment that it replies to. Whatever hides it, and
-- however often, lowers a count once. The discussion's row is locked first: whoever changes its comments takes turns, and
-- what is computed anew is computed from what others have committed.
-- A comment that is hidden until a moderator decides stays the answer, which it is again when it is shown; only a removed one
-- answers nothing for good.
create function app.comment_counted() returns trigger language plpgsql as $$
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
create trigger comment_counted after insert or delete or update of status on comments
  for each row execute function app.comment_counted();

-- Each row is changed by its key, which is known before the statement is planned.
create function app.discussion_liked() returns trigger language plpgsql as $$
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
create trigger discussion_liked after insert or delete or update of liked on discussion_members
  for each row execute function app.discussion_liked();

create function app.comment_liked() returns trigger language plpgsql as $$
declare
  step integer := case tg_op when 'INSERT' then 1 else -1 end;
  project uuid := coalesce(new.project_id, old.project_id);
  comment uuid := coalesce(new.comment_id, old.comment_id);
begin
  update comments set likes = likes + step where project_id = project and id = comment;
  return null;
end $$;
create trigger comment_liked after insert or delete on comment_likes
  for each row execute function app.comment_liked();

-- A case counts the reports that there are: those of erased members are gone.
create function app.report_gone() returns trigger language plpgsql as $$
begin
  if old.counts then
    update moderation_cases set reports = reports - 1 where project_id = old.project_id and id = old.case_id;
  end if;
  return null;
end $$;
create trigger report_gone after delete on reports for each row execute function app.report_gone();
