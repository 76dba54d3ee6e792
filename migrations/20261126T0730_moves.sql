-- locks: nothing that is there

-- Moves of projects between cells. Each of the two installations has a row of the same id: whoever goes on with a move that was killed
-- reads here how far it has come.
create table project_moves (
  id uuid primary key,
  live_id uuid not null,
  test_id uuid not null,
  -- At the time of the move.
  name text not null,
  direction text not null check (direction in ('out', 'in')),
  -- The other cell, as it is called here.
  cell text not null,
  -- The last step that is done.
  step text not null,
  begun_at timestamptz not null default now(),
  -- From here on the project lives in the other cell, and the move can only go on.
  switched_at timestamptz,
  ended_at timestamptz,
  outcome text check (outcome in ('moved', 'taken back')),
  -- What was printed at the end: steps with their times, rows, files.
  report jsonb,
  -- When the triggers of app.fence_moving were removed.
  unfenced_at timestamptz,
  constraint project_moves_ended check ((ended_at is null) = (outcome is null))
);
create unique index project_moves_under_way on project_moves (live_id) where ended_at is null;
grant select on project_moves to guildhall_operator;
grant select (id, live_id, ended_at, outcome, unfenced_at), update (unfenced_at) on project_moves to guildhall_housekeeper;

-- Projects that leave. Both moments end by themselves, so that a move that was killed holds nothing up.
create table moving_projects (
  -- Of a side.
  id uuid primary key,
  move_id uuid not null references project_moves (id),
  -- Until then no job and no delivery is begun.
  rests_until timestamptz,
  -- Until then nothing is written.
  held_until timestamptz
);
alter table moving_projects enable row level security;
create policy own on moving_projects for select to guildhall_api using (id = (select app.current_project()));
create policy all_of_them on moving_projects for select
  to guildhall_keys, guildhall_relay, guildhall_webhooks, guildhall_housekeeper using (true);
grant select (id, rests_until) on moving_projects to guildhall_api;
grant select (id, rests_until, held_until) on moving_projects to guildhall_relay, guildhall_webhooks, guildhall_housekeeper;

-- Public halves of keys by which another cell has signed access tokens of projects that came from there, until the last one has expired.
create table foreign_signing_keys (
  -- The `kid` of tokens.
  id text not null,
  -- The side of a project: tokens for another one are refused.
  side uuid not null,
  public_key jsonb not null,
  -- `iss` of the tokens.
  issuer text not null,
  published_until timestamptz not null,
  primary key (id, side)
);
grant select on foreign_signing_keys to guildhall_keys;
grant select (published_until), delete on foreign_signing_keys to guildhall_housekeeper;
create trigger announce_change after insert or update or delete on foreign_signing_keys
  for each statement execute function app.announce_signing_keys();

-- Refuses to write rows of a project that is held, or that lives elsewhere. A move makes row triggers of it, for its own project only.
-- Whoever writes shares a lock until its commit; whoever holds the project takes it alone, so that it waits for all writers, and every
-- later one sees that the project is held. What writes for all projects at once leaves the row out, and goes on with the others.
create function app.fence_moving() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp
as $$
declare
  live constant uuid := tg_argv[0];
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('move of ' || live, 0));
  if exists (select from project_locations l where l.id = live)
    or exists (select from moving_projects m where m.id = live and m.held_until > clock_timestamp())
  then
    if tg_op = 'DELETE' and exists (select from project_removals r where r.live_id = live and r.begun_at is not null) then
      return old;
    end if;
    if session_user ~ '^guildhall_(relay|keys|housekeeper|webhooks)_' then return null; end if;
    raise exception using errcode = 'GH002', message = 'this project is being moved to another installation';
  end if;
  if tg_op = 'DELETE' then return old; end if;
  return new;
end $$;
revoke execute on function app.fence_moving() from public;

-- Removes the triggers of one table, so that no two tables are locked together. Answers whether some are left.
create function app.unfence_moved(live uuid) returns boolean
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp
  set lock_timeout = '200ms'
as $$
declare
  fenced regclass;
  of_table text;
begin
  select t.tgrelid::regclass into fenced from pg_trigger t
    where t.tgname like 'fence\_' || replace(live::text, '-', '') || '%' and t.tgparentid = 0 limit 1;
  if fenced is null then return false; end if;
  for of_table in select t.tgname from pg_trigger t
    where t.tgname like 'fence\_' || replace(live::text, '-', '') || '%' and t.tgparentid = 0 and t.tgrelid = fenced
  loop
    execute format('drop trigger %I on %s', of_table, fenced);
  end loop;
  return true;
end $$;
revoke execute on function app.unfence_moved(uuid) from public;
grant execute on function app.unfence_moved(uuid) to guildhall_housekeeper;
