-- runs: alone
-- locks: none
drop index concurrently if exists members_deleted_by_email;
