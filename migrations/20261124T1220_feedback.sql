-- Feedback: items, votes, merges, changes of status, comments.

-- What members and visitors would like, miss and ask for, and the votes that say how many would.
create table feedback (
  project_id uuid not null,
  id uuid not null,
  type text not null check (type in ('feedback', 'bug', 'feature', 'question')),
  title text check (char_length(title) between 1 and 200),
  message text not null check (char_length(message) between 1 and 10000),
  email text check (char_length(email) <= 254),
  author_id uuid,
  metadata app.metadata not null default '{}',
  visibility text not null check (visibility in ('public', 'private')),
  -- What it was last said to be. Of a duplicate it is what it was before the merge, and is again after an unmerge.
  status text not null default 'new'
    check (status in ('new', 'under_review', 'planned', 'in_progress', 'done', 'declined')),
  status_note text check (char_length(status_note) <= 2000),
  status_changed_at timestamptz not null,
  -- The item that it is a duplicate of, which can be a duplicate itself. What is merged makes a tree.
  merged_into uuid,
  state text not null generated always as (case when merged_into is null then status else 'duplicate' end) stored,
  -- Distinct voters of the item and of everything merged into it, at any depth. Kept by triggers.
  vote_count bigint not null default 0 check (vote_count >= 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- In lower case, as members.email_key.
  email_key text generated always as (lower(email)) stored,
  primary key (project_id, id),
  constraint feedback_author_fkey foreign key (project_id, author_id) references members (project_id, id),
  constraint feedback_merged_fkey foreign key (project_id, merged_into) references feedback (project_id, id),
  constraint feedback_not_into_itself check (merged_into <> id)
) with (fillfactor = 80);
-- Pages of the board by votes and by age; of one state, or of all that are no duplicates.
create index feedback_by_votes on feedback (project_id, vote_count, id) where merged_into is null;
create index feedback_by_state_and_votes on feedback (project_id, state, vote_count, id);
create index feedback_by_state on feedback (project_id, state, id);
create index feedback_merged on feedback (project_id, merged_into) where merged_into is not null;
create index feedback_of_author on feedback (project_id, author_id) where author_id is not null;
create index feedback_by_email on feedback (project_id, email_key) where email_key is not null;
create index feedback_by_type_and_votes on feedback (project_id, type, vote_count, id) where merged_into is null;
create index feedback_by_visibility_and_votes on feedback (project_id, visibility, vote_count, id) where merged_into is null;
create index feedback_on_roadmap on feedback (project_id, state, type, vote_count, id) where visibility = 'public';
create index feedback_public_by_state on feedback (project_id, state, vote_count, id) where visibility = 'public';
-- The changelog is public: all of it, or of one type.
create index feedback_done on feedback (project_id, status_changed_at, id)
  where merged_into is null and status = 'done' and visibility = 'public';
create index feedback_done_by_type on feedback (project_id, type, status_changed_at, id)
  where merged_into is null and status = 'done' and visibility = 'public';
call app.tenant_table('feedback');

-- A vote stays with the item that it was given to, so that a merge or an unmerge moves none.
create table feedback_votes (
  project_id uuid not null,
  id uuid not null,
  feedback_id uuid not null,
  member_id uuid not null,
  created_at timestamptz not null,
  primary key (project_id, id),
  constraint feedback_votes_once unique (project_id, feedback_id, member_id),
  constraint feedback_votes_feedback_fkey foreign key (project_id, feedback_id)
    references feedback (project_id, id) on delete cascade,
  constraint feedback_votes_member_fkey foreign key (project_id, member_id)
    references members (project_id, id) on delete cascade
);
create index feedback_votes_of_member on feedback_votes (project_id, member_id);
call app.tenant_table('feedback_votes');

-- Every change of an item's status, and what was said with it.
create table feedback_status_changes (
  project_id uuid not null,
  id uuid not null,
  feedback_id uuid not null,
  previous_status text not null,
  status text not null,
  note text check (char_length(note) <= 2000),
  notify_voters boolean not null,
  -- The moderator whose token it was; null where a key or an operator did it.
  member_id uuid,
  created_at timestamptz not null,
  primary key (project_id, id),
  constraint feedback_status_changes_feedback_fkey foreign key (project_id, feedback_id)
    references feedback (project_id, id) on delete cascade,
  constraint feedback_status_changes_member_fkey foreign key (project_id, member_id)
    references members (project_id, id)
);
create index feedback_status_changes_of on feedback_status_changes (project_id, feedback_id, id);
create index feedback_status_changes_by on feedback_status_changes (project_id, member_id) where member_id is not null;
call app.tenant_table('feedback_status_changes');

-- Who was told of a change of status, so that nobody is told twice however often the job runs.
create table feedback_notices (
  project_id uuid not null,
  id uuid not null,
  change_id uuid not null,
  member_id uuid not null,
  created_at timestamptz not null,
  primary key (project_id, id),
  constraint feedback_notices_once unique (project_id, change_id, member_id),
  constraint feedback_notices_change_fkey foreign key (project_id, change_id)
    references feedback_status_changes (project_id, id) on delete cascade,
  constraint feedback_notices_member_fkey foreign key (project_id, member_id)
    references members (project_id, id) on delete cascade
);
create index feedback_notices_of_member on feedback_notices (project_id, member_id);
call app.tenant_table('feedback_notices');

-- What is said under an item.
create table feedback_comments (
  project_id uuid not null,
  id uuid not null,
  feedback_id uuid not null,
  -- Null where the team speaks as such.
  author_id uuid,
  content text not null check (char_length(content) between 1 and 10000),
  content_html text not null,
  is_official boolean not null,
  -- Private ones are the team's notes among itself.
  visibility text not null check (visibility in ('public', 'private')),
  created_at timestamptz not null,
  primary key (project_id, id),
  constraint feedback_comments_feedback_fkey foreign key (project_id, feedback_id)
    references feedback (project_id, id) on delete cascade,
  constraint feedback_comments_author_fkey foreign key (project_id, author_id) references members (project_id, id),
  constraint feedback_comments_of_somebody check (author_id is not null or is_official)
);
create index feedback_comments_of on feedback_comments (project_id, feedback_id, id);
create index feedback_comments_of_author on feedback_comments (project_id, author_id) where author_id is not null;
call app.tenant_table('feedback_comments');

-- Votes and merges. Whoever votes reads which items an item is merged into, and whoever merges changes that; so merges
-- wait until no vote is under way, and votes until no merge is. Votes do not wait for each other here, but for the rows
-- of the items that they count for, in the order of their ids.
create function app.lock_feedback_tree(alone boolean) returns void language plpgsql as $$
declare
  key bigint := hashtextextended('feedback tree ' || app.current_project(), 0);
begin
  if alone then perform pg_advisory_xact_lock(key); else perform pg_advisory_xact_lock_shared(key); end if;
end $$;

-- An item and those that it is merged into, one into the next.
create function app.feedback_upwards(start uuid) returns setof uuid language sql stable rows 2
  begin atomic
    with recursive up (id, merged_into) as (
      select f.id, f.merged_into from feedback f where f.project_id = app.current_project() and f.id = start
      union
      select f.id, f.merged_into from up join feedback f
        on f.project_id = app.current_project() and f.id = up.merged_into
    )
    select id from up;
  end;

-- An item and everything merged into it, at any depth.
create function app.feedback_downwards(start uuid) returns setof uuid language sql stable rows 2
  begin atomic
    with recursive down (id) as (
      select start
      union
      select f.id from down join feedback f on f.project_id = app.current_project() and f.merged_into = down.id
    )
    select id from down;
  end;

-- Whoever votes locks the tree first, once for a statement.
create function app.feedback_vote_begins() returns trigger language plpgsql as $$
begin
  perform app.lock_feedback_tree(false);
  return null;
end $$;

-- Counts votes that came or went for their items and for those above them, but for those that count the same voter for
-- another item. Asked per statement: of two votes that go at once, the second would not know that the first was counted.
-- Nothing reads all votes of a project: whether a voter counts already is asked of each item below, by the index, and each item
-- is changed by its key. A join would let PostgreSQL hash every vote for one that comes.
create function app.feedback_votes_counted() returns trigger language plpgsql as $$
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
create trigger feedback_vote_begins before insert or delete on feedback_votes
  for each statement execute function app.feedback_vote_begins();
create trigger feedback_votes_inserted after insert on feedback_votes
  referencing new table as changed for each statement execute function app.feedback_votes_counted();
create trigger feedback_votes_deleted after delete on feedback_votes
  referencing old table as changed for each statement execute function app.feedback_votes_counted();

-- Counts the voters of some items anew, after what is merged into them has changed.
create function app.recount_feedback(items uuid[]) returns void language sql
  begin atomic
    update feedback f set vote_count = (
        select count(distinct v.member_id) from app.feedback_downwards(f.id) as down (id)
        join feedback_votes v on v.project_id = f.project_id and v.feedback_id = down.id)
    where f.project_id = app.current_project() and f.id = any (items);
  end;

-- Items per state, type and visibility: exact totals of lists. Slotted like member_counts.
create table feedback_counts (
  project_id uuid not null,
  state text not null,
  type text not null,
  visibility text not null,
  slot smallint not null default pg_backend_pid() % 64,
  items bigint not null,
  primary key (project_id, state, type, visibility, slot)
) with (fillfactor = 50);
call app.tenant_table('feedback_counts');

create function app.feedback_counted() returns trigger language plpgsql as $$
begin
  insert into feedback_counts as c (project_id, state, type, visibility, items)
    select moved.project_id, moved.state, moved.type, moved.visibility, sum(moved.step)
    from (
      select old.project_id, old.state, old.type, old.visibility, -1 as step where tg_op <> 'INSERT'
      union all select new.project_id, new.state, new.type, new.visibility, 1 where tg_op <> 'DELETE'
    ) as moved
    group by moved.project_id, moved.state, moved.type, moved.visibility
    order by moved.state, moved.type, moved.visibility
    on conflict (project_id, state, type, visibility, slot) do update set items = c.items + excluded.items;
  return null;
end $$;
create trigger feedback_inserted_or_deleted after insert or delete on feedback
  for each row execute function app.feedback_counted();
create trigger feedback_moved after update on feedback for each row
  when ((old.state, old.type, old.visibility) is distinct from (new.state, new.type, new.visibility))
  execute function app.feedback_counted();
