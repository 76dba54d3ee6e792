-- A list that is too long for an answer is answered with as many of its first entries as fit, an object with shorter values.
create or replace function app.shorten_values(object jsonb, characters int) returns jsonb language sql immutable parallel safe as $$
  select case when jsonb_typeof(object) = 'array' then (
      select coalesce(jsonb_agg(entry order by place), '[]')
      from (select entry, place, sum(length(entry::text) + 2) over (order by place) as until
        from jsonb_array_elements(object) with ordinality as entries (entry, place)) as entries
      where until <= characters)
    else (
      select coalesce(jsonb_object_agg(key, case
          when length(value::text) <= share then value
          when jsonb_typeof(value) = 'string' then to_jsonb(left(value #>> '{}', share))
          else 'null'::jsonb end), '{}')
      from jsonb_each(object),
        (select greatest(characters / greatest((select count(*) from jsonb_object_keys(object)), 1), 1)::int as share) as of)
  end
$$;
