-- The last reports of a member that moderators have judged say what the next one weighs.
-- runs: alone
create index concurrently if not exists reports_judged on reports (project_id, member_id, id) where was_right is not null;
