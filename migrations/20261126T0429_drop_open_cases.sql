-- runs: alone
-- Cases of feedback name no discussion: under this index, one of them could be open. The two before take its place.
drop index concurrently if exists moderation_cases_open;
