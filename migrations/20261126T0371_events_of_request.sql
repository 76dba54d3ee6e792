-- runs: alone
-- locks: none, the index is built beside the requests
create index concurrently events_of_request on events (project_id, request_id) where request_id is not null;
