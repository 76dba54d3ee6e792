-- runs: alone
-- Documents from before words were kept, which are filled in by the worker: none after that.
create index concurrently search_documents_unspelled on search_documents (project_id, kind, id, locale) where spelling = '';
