-- The login of requests plans for indexes (decision 0121). Searches plan each statement for its values, when it runs, and what
-- most rows have is found sooner in the table: they are planned by what tables hold, as before.
alter function app.search_members set enable_seqscan = on;
alter function app.search_orders set enable_seqscan = on;
alter function app.find_submissions set enable_seqscan = on;

-- What they call keeps its plans, and reads a few rows along the key.
alter function app.sample_of_members set enable_seqscan = off;
alter function app.rare_parts set enable_seqscan = off;
