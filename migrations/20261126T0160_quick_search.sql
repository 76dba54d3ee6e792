-- The one search takes less time for each match (decision 0018). What it finds is the same.
-- locks: none: functions alone

-- As before. Where the words of the language are the words as they are typed, each is asked and ranked once.
create or replace function app.search_query(words text, config regconfig, is_unfinished boolean, also_plain boolean) returns tsquery
  language sql immutable parallel safe
  return (
    select case when not also_plain or plain = inflected then inflected else inflected || plain end
    from (
      select app.search_query(words, config, is_unfinished) as inflected, app.search_query(words, 'simple', is_unfinished) as plain
    ) asked
  );
