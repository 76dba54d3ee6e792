-- One clock for each project. Whoever begins a transaction of a project says by how much its clock is moved, once: so all
-- statements of the transaction go by the same time, and a live side, whose clock never moves, looks nothing up.

-- What `app.project_now()` was: it looks the clock up each time. It is asked where a transaction has not said how far the
-- clock is moved: by operators' tools, and by a version before this one, whose test clock names its steps in `app.clock`.
create function app.project_now_looked_up() returns timestamptz
  language plpgsql stable parallel safe
as $$
begin
  if current_setting('app.clock', true) <> '' then
    return current_setting('app.clock')::timestamptz;
  end if;
  return now() + coalesce(
    (select moved_by_ms from project_clocks where project_id = app.current_project()), 0) * interval '1 millisecond';
end $$;

-- The time of the current project, the same for all of a transaction, as now() is. `app.clock_moved` holds microseconds.
-- Ask for it as `(select app.project_now())`, so that it is evaluated once per statement; it is inlined there.
create or replace function app.project_now() returns timestamptz
  language sql stable parallel safe
  return coalesce(
    now() + nullif(current_setting('app.clock_moved', true), '')::float8 * interval '1 microsecond',
    app.project_now_looked_up());

-- Begins the work of a transaction in a project: whose rows it sees, and by how much the clock is moved. It answers which
-- side the project is, null for a project that there is not: a process remembers the live ones and asks no more.
create function app.enter_project(project text, out project_id text, out environment text)
  language plpgsql
as $$
begin
  project_id := set_config('app.project_id', project, true);
  select p.environment into environment from projects p where p.id = project::uuid;
  perform set_config('app.clock_moved', coalesce(
    (select c.moved_by_ms * 1000 from project_clocks c where c.project_id = project::uuid), 0)::text, true);
end $$;

-- Deleted members wait 30 days by the clock of their project, so each project is asked often when the next one is due.
-- Anonymized ones, of which there are ever more, wait for nothing.
create index members_restorable on members (project_id, deleted_at) where deleted_at is not null and anonymized_at is null;

-- Subscribers who had a mail within the hour are told later, by the clock of their project.
create index discussions_digest_due on discussions (project_id, digest_due_at) where digest_due_at is not null;
