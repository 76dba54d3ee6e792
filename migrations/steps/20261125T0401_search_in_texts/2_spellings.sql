-- runs: alone
-- locks: none, the index is built beside the requests
create index concurrently search_documents_spellings on search_documents using gin (scope, spelling gin_trgm_ops)
  with (gin_pending_list_limit = 256);
