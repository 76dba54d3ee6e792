-- Roll-ups grow with their day. Events carry the generation that they were stored in; a roll-up ends a generation, counts
-- what came up to it, and says so. What came since is found by its generation, and of the visitors that it is of, what
-- was counted before is taken away and counted anew. So a report of today costs as much as what came in the last minute.

-- The generation that a project's events are stored in. Whoever stores events holds the project's advisory lock shared
-- (app.touch_analytics_days); a roll-up ends the generation while it holds the lock alone, so that nobody who has not
-- committed yet still adds to a generation that is over.
create table analytics_generations (
  project_id uuid not null,
  -- The project's own: there is one row of each.
  id uuid not null default app.current_project(),
  generation bigint not null,
  primary key (project_id, id)
) with (fillfactor = 50);
call app.tenant_table('analytics_generations');

alter table analytics_events add column generation bigint not null default 0;
-- Events of one commit share a generation and come one after the other: both indexes are small, and are added to where
-- they were added to last. A visitor begins with its day.
create index analytics_events_by_generation on analytics_events (project_id, generation);
create index analytics_events_by_visitor on analytics_events (project_id, visitor);

-- A day is rolled up under `timezone` and `goals` (null: not at all) with all events up to `rolled_generation`. Events
-- have come up to `changed_generation`. Work is due where `due_at` says so.
alter table analytics_days
  drop constraint analytics_days_due,
  add column rolled_generation bigint not null default 0,
  add column changed_generation bigint not null default 0,
  -- How long after an event its day is rolled up.
  add column pace interval not null default '1 minute';
update analytics_days set timezone = null, goals = null, due_at = coalesce(due_at, now()) where state = 'dirty';
alter table analytics_days drop column state;

-- Says that days are about to get events, before they do. The last transaction of a generation ends before the roll-up of
-- it begins.
-- @param due when each day may be rolled up at the earliest
create or replace function app.touch_analytics_days(days date[], due timestamptz[]) returns void
  language plpgsql
as $$
declare
  present bigint;
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('analytics ' || app.current_project(), 0));
  -- Statements of their own, so that they see what was recorded before the lock was had.
  select generation into present from public.analytics_generations;
  if present is null then
    insert into public.analytics_generations (generation) values (1) on conflict (project_id, id) do nothing;
    present := 1;
  end if;
  -- A day that has changed in this generation already costs no lock of its row. Of one that had not changed since it was
  -- rolled up, everything before this generation is counted.
  update public.analytics_days as d
    set rolled_generation = case when d.changed_generation <= d.rolled_generation then present - 1 else d.rolled_generation end,
      changed_generation = present,
      due_at = coalesce(d.due_at, t.due_at + d.pace)
    from (
      select u.day, min(u.due_at) as due_at from unnest(days, due) as u (day, due_at) group by u.day
    ) as t
    where d.day = t.day and d.changed_generation < present;
  insert into public.analytics_days (day, due_at, changed_generation)
    select t.day, min(t.due_at) + interval '1 minute', present
    from unnest(days, due) as t (day, due_at) group by t.day order by t.day
    on conflict (project_id, day) do nothing;
end $$;

-- Says that days are about to lose events: what was counted of them, or is being counted, does not hold any more.
create function app.outdate_analytics_days(days date[]) returns void
  language sql
  begin atomic
    update public.analytics_days
      set timezone = null, goals = null, token = null, lease_until = null, due_at = now()
      where day = any (days);
  end;
