-- runs: alone
-- Indexes of each word of a name are in its place.
drop index concurrently if exists members_by_name_prefix;
