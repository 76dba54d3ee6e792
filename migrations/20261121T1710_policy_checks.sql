-- What a policy asks of a row that is written is asked once for a row, and most statements write one: there the function
-- itself is cheaper than a subquery, which is begun and ended with each statement (an event costs 8 % less of its write).
-- Where rows are looked for, the subquery is right: it is evaluated once, and says nothing of a project to the planner.
create or replace procedure app.tenant_table(name text) language plpgsql as $$
begin
  execute format('alter table %I alter column project_id set default app.current_project()', name);
  execute format('alter table %I enable row level security', name);
  execute format('alter table %I force row level security', name);
  execute format(
    'create policy tenant on %I using (project_id = (select app.current_project()))
       with check (project_id = app.current_project())', name);
  execute format('grant select, insert, update, delete on %I to guildhall_api', name);
end $$;

do $$
declare
  name text;
begin
  for name in
    select polrelid::regclass::text from pg_policy where polname = 'tenant' and polwithcheck is not null
  loop
    execute format('alter policy tenant on %s with check (project_id = app.current_project())', name);
  end loop;
end $$;
