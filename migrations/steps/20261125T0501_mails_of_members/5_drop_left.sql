-- runs: alone
-- locks: none
drop index concurrently if exists mails_left;
