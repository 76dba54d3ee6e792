-- The stored form of a public id: what app.public_id makes, read backwards.
create function app.stored_id(public_id text) returns uuid
language sql immutable strict parallel safe
return (
  select (lpad(to_hex(substring(bits from 3 for 64)::bit(64)::bigint), 16, '0')
    || lpad(to_hex(substring(bits from 67 for 64)::bit(64)::bigint), 16, '0'))::uuid
  from (
    select string_agg((position(digit in '0123456789abcdefghjkmnpqrstvwxyz') - 1)::bit(5)::text, '' order by n)::varbit as bits
    from regexp_split_to_table(split_part(public_id, '_', 2), '') with ordinality as digits (digit, n)
  ) as joined
);

-- Files' events tell of their owners. Those that were stored before did not say so: they were neither in a member's log
-- nor erased with the member. Whoever migrates owns these tables, and for a moment sees the rows of all projects.
alter table events no force row level security;
alter table members no force row level security;
update events set member_id = app.stored_id(payload ->> 'owner_id')
  where type = 'file.created' and member_id is null and payload ->> 'owner_id' is not null;
update events as e set payload = json_build_object('id', e.payload -> 'id')
  where e.type = 'file.created' and e.member_id is not null and not exists (
    select from members m where m.project_id = e.project_id and m.id = e.member_id and m.anonymized_at is null
  );
alter table events force row level security;
alter table members force row level security;
