-- runs: alone
create index concurrently if not exists profiles_by_name_word_1 on profiles
  (project_id, (app.name_from_word(display_name, 1) collate "C"), id)
  where app.name_from_word(display_name, 1) is not null;
