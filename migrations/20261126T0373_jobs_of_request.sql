-- runs: alone
-- locks: none, the index is built beside the requests
create index concurrently jobs_of_request on jobs (project_id, request_id) where request_id is not null;
