-- Operators see what waits, runs and failed, in all projects; what it is about stays with the project.
create policy operators on jobs for select to guildhall_operator using (true);
grant select (project_id, id, name, lane, state, due_at, attempts, last_error, created_at, finished_at)
  on jobs to guildhall_operator;
create policy operators on outbox for select to guildhall_operator using (true);
grant select (id, created_at, retry_at) on outbox to guildhall_operator;
