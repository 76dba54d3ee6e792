-- locks: nothing that is there

-- Other installations that work together with this one, each with a PostgreSQL of its own. Each pair has a secret of its own, by which
-- requests that one forwards to the other are known.
create table cells (
  name text primary key check (name ~ '^[a-z][a-z0-9-]{0,39}$'),
  -- Where the other installation's API is reached from here, without a slash at the end.
  url text not null check (url ~ '^https?://[^/]+$'),
  -- Sealed for the installation, for the name.
  secret bytea not null,
  added_at timestamptz not null default now()
);
grant select on cells to guildhall_keys;
grant select (name, url, added_at) on cells to guildhall_operator;
-- Secrets are sealed anew.
grant select (name, secret), update (secret) on cells to guildhall_housekeeper;

-- Projects that live in another cell. What is left of one here is an old copy, which rests and is removed later; the row stays, so that
-- requests are forwarded.
create table project_locations (
  -- Of a side of a project.
  id uuid primary key,
  cell text not null references cells (name),
  since timestamptz not null default now()
);
create index project_locations_by_cell on project_locations (cell);
alter table project_locations enable row level security;
create policy own on project_locations for select to guildhall_api using (id = (select app.current_project()));
grant select (id) on project_locations to guildhall_api;
create policy all_of_them on project_locations for select
  to guildhall_keys, guildhall_operator, guildhall_relay, guildhall_webhooks, guildhall_housekeeper using (true);
grant select on project_locations to guildhall_keys, guildhall_operator;
grant select (id) on project_locations to guildhall_relay, guildhall_webhooks, guildhall_housekeeper;

-- Every API process keeps cells and locations in memory. The second notification is for the streams of the project, and for its keys.
create function app.announce_location() returns trigger language plpgsql as $$
begin
  perform pg_notify('guildhall_project_states', coalesce(new.id, old.id)::text);
  perform pg_notify('guildhall_changes', coalesce(new.id, old.id)::text);
  return null;
end $$;
create trigger announce_location after insert or update or delete on project_locations
  for each row execute function app.announce_location();
create function app.announce_cells() returns trigger language plpgsql as $$
begin
  perform pg_notify('guildhall_project_states', '');
  return null;
end $$;
create trigger announce_cells after insert or update or delete on cells
  for each statement execute function app.announce_cells();
