-- A stored id as the API shows it: 128 bits, led by two zeros, in 26 digits of Crockford's base32 (TypeID).
create function app.public_id(prefix text, id uuid) returns text
language sql immutable strict parallel safe
return prefix || '_' || (
  select string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', 1 + substring(bits from 1 + 5 * n for 5)::int, 1), '' order by n)
  from (select B'00' || ('x' || replace(id::text, '-', ''))::bit(128) as bits) as joined, generate_series(0, 25) as n
);

-- Kept, because making it takes longer than all the rest of a statement that announces a member with its plan.
alter table plans add column public_id text not null generated always as (app.public_id('plan', id)) stored;
