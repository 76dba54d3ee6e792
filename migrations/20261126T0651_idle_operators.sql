-- locks: projects and sessions, for the moment in which a column without a value is added

-- Minutes after which operators who do nothing are logged out, as the owner of the project wants it. On the live side alone.
alter table projects add column operators_idle_minutes integer
  constraint projects_operators_idle_minutes check (operators_idle_minutes between 5 and 1440);
-- The least that projects of the operator and the installation want of a session; null: none of them wants anything.
alter table sessions add column idle_minutes integer;
