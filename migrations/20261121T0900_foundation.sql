-- What every later table stands on: the roles that the processes act as, and the one way to make a table tenanted.
--
-- Roles are cluster-wide and carry grants only; they cannot log in. `migrate` makes one login per database for
-- each of them, so that several installations can share a cluster.
do $$
declare
  wanted text;
begin
  foreach wanted in array array['guildhall_api', 'guildhall_keys', 'guildhall_operator'] loop
    begin
      execute format('create role %I nologin', wanted);
    exception when duplicate_object or unique_violation then
      null; -- another database of this cluster made it
    end;
  end loop;
end $$;

create schema app;
grant usage on schema app, public to guildhall_api, guildhall_keys, guildhall_operator;

-- The tenant of the running transaction, null outside of one. Set by `set_config('app.project_id', …, true)`.
create function app.current_project() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.project_id', true), '')::uuid;

-- Makes a table tenanted. Policies apply to every role, the owner included (force), and read the tenant through a
-- scalar sub-select, which PostgreSQL evaluates once per statement instead of once per row.
create procedure app.tenant_table(name text) language plpgsql as $$
begin
  execute format('alter table %I alter column project_id set default app.current_project()', name);
  execute format('alter table %I enable row level security', name);
  execute format('alter table %I force row level security', name);
  execute format(
    'create policy tenant on %I using (project_id = (select app.current_project()))
       with check (project_id = (select app.current_project()))', name);
  execute format('grant select, insert, update, delete on %I to guildhall_api', name);
end $$;

-- Free-form customer data: an object of at most 50 keys. The 16 KiB of the API are counted on what a client sends;
-- here is the bound for what merging can add up to, in PostgreSQL's own, slightly longer, spelling.
create domain app.metadata as jsonb
  constraint metadata_is_object check (jsonb_typeof(value) = 'object')
  constraint metadata_key_count check (jsonb_array_length(jsonb_path_query_array(value, '$.keyvalue()')) <= 50)
  constraint metadata_size check (octet_length(value::text) <= 20480);
