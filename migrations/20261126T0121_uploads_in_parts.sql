-- locks: files for a moment, to which columns without a default are added

-- Of an upload in parts that go past us, until it is complete: what the storage calls it, the last part of the key of the object that
-- it becomes, and how many parts it has.
alter table files
  add column upload_id text,
  add column upload_object uuid,
  add column upload_parts integer;
