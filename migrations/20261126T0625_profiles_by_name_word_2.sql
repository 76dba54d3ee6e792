-- runs: alone
create index concurrently if not exists profiles_by_name_word_2 on profiles
  (project_id, (app.name_from_word(display_name, 2) collate "C"), id)
  where app.name_from_word(display_name, 2) is not null;
