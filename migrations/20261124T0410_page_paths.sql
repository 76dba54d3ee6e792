-- Paths of pages are kept decoded, in NFC and without a slash at the end. Events that are stored already are read in that
-- form: changing them would write most rows of a large table again.
create function app.page_path(address text) returns text language sql immutable strict parallel safe as $$
  select regexp_replace(regexp_replace(normalize(string_agg(case
      when part[1] = '%' then '%25'
      when part[1] !~ '^%' then part[1]
      when part[1] ~* '^%([01][0-9a-f]|7f|23|25|2f|3f|5c|[89a-f][0-9a-f])$' then upper(part[1])
      else convert_from(decode(replace(part[1], '%', ''), 'hex'), 'UTF8')
    end, '' order by place), nfc), '/{2,}', '/', 'g'), '^(.*/.*)/$', '\1')
  from regexp_matches(address, '(%[0-7][0-9a-f]|%(?:c[2-9a-f]|d[0-9a-f])%[89ab][0-9a-f]|%(?:e0%[ab][0-9a-f]|e[1-9a-cef]%[89ab][0-9a-f]|ed%[89][0-9a-f])%[89ab][0-9a-f]|%(?:f0%[9ab][0-9a-f]|f[1-3]%[89ab][0-9a-f]|f4%8[0-9a-f])%[89ab][0-9a-f]%[89ab][0-9a-f]|%[0-9a-f]{2}|%|[^%]+)', 'gi')
    with ordinality as found (part, place)
$$;
