-- Workers and operators count the jobs that failed: there are few among the millions that are done.
-- runs: alone
create index concurrently if not exists jobs_failed on jobs (lane) where state = 'failed';
