-- runs: alone
create index concurrently if not exists members_by_name_word_3 on members
  (project_id, (app.name_from_word(full_name, 3) collate "C"), id)
  where deleted_at is null and status = 'active' and app.name_from_word(full_name, 3) is not null;
