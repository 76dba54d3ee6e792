-- Mails are searched by a part of the name or address that they went to.
-- locks: none, the index is built beside the requests
-- runs: alone
create index concurrently if not exists mails_search on mails using gin (lower(to_address || E'\n' || to_name) gin_trgm_ops);
