-- Completion of mentions finds a name by the beginning of any of its first three words, without accents and case.

-- A name as it is compared: small letters without accents, words with one space between them.
create function app.fold_name(name text) returns text
  language sql immutable strict parallel safe
  return btrim(regexp_replace(
    translate(
      replace(replace(replace(replace(
        -- Marks of Latin, Greek, Cyrillic, Hebrew and Arabic letters.
        lower(regexp_replace(normalize(name, nfkd), '[\u0300-\u036f\u0591-\u05bd\u064b-\u065f]', '', 'g')),
        'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
      'øłđħŧıðς', 'oldhtidσ'),
    '[\s\-‐‑–·.'']+', ' ', 'g'));

-- A folded name from one of its words on; null where it has fewer. The first word is 1.
create function app.name_from_word(name text, word integer) returns text
  language sql immutable strict parallel safe
  return nullif(case word
    when 1 then app.fold_name(name)
    else substring(app.fold_name(name) from case word when 2 then '^\S+ (.+)$' else '^\S+ \S+ (.+)$' end)
  end, '');
