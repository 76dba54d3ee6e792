-- The newest documents of a kind come first where a word is in most of them.
-- runs: alone
create index concurrently if not exists search_documents_newest on search_documents (project_id, kind, written_at desc)
  where written_at is not null;
