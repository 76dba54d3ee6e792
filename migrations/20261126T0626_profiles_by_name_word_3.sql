-- runs: alone
create index concurrently if not exists profiles_by_name_word_3 on profiles
  (project_id, (app.name_from_word(display_name, 3) collate "C"), id)
  where app.name_from_word(display_name, 3) is not null;
