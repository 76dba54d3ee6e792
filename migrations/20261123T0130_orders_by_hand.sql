-- An order that is paid by hand is reserved for days, so that a member has few of them; a product says for how long where
-- it has its own hours.
alter table products add column reserve_hours integer check (reserve_hours between 1 and 8760);

-- Orders that wait for payment now were reserved for minutes: they do not count.
alter table orders add column by_hand boolean not null default false;
create index orders_unpaid_by_hand on orders (project_id, member_id) where status = 'pending_payment' and by_hand;
