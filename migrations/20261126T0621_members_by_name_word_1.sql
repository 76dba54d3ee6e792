-- runs: alone
create index concurrently if not exists members_by_name_word_1 on members
  (project_id, (app.name_from_word(full_name, 1) collate "C"), id)
  where deleted_at is null and status = 'active' and app.name_from_word(full_name, 1) is not null;
