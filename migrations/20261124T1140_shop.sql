-- The shop: products and their variants with stock, carts, discounts, orders. Amounts are in the currency's smallest unit,
-- percentages in thousandths.

-- What is sold. A product without variants is sold as it is.
create table products (
  project_id uuid not null references projects (id) on delete cascade,
  id uuid not null,
  name text not null check (char_length(name) between 1 and 200),
  slug text not null,
  description text not null default '',
  category text not null default '',
  currency text not null check (currency ~ '^[a-z]{3}$'),
  price_minor bigint not null check (price_minor between 0 and 99999999999),
  -- Included in the price.
  tax_milli integer check (tax_milli between 0 and 100000),
  -- Ids of files, in their order; file_attachments keeps the files.
  images uuid[] not null default '{}',
  -- What whoever pays for it is given.
  grant_plan_id uuid,
  grant_features text[] not null default '{}',
  grant_course_id uuid,
  grant_days integer check (grant_days between 1 and 36500),
  is_active boolean not null default true,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Orders refer to it, so that it stays.
  deleted_at timestamptz,
  -- An order that is paid by hand is reserved for days, so that a member has few of them; a product says for how long where
  -- it has its own hours.
  reserve_hours integer check (reserve_hours between 1 and 8760),
  primary key (project_id, id),
  constraint products_plan_fkey foreign key (project_id, grant_plan_id) references plans (project_id, id)
);
create unique index products_slug_key on products (project_id, slug) where deleted_at is null;
create index products_listed on products (project_id, is_active, id) where deleted_at is null;
create index products_by_category on products (project_id, category, is_active, id) where deleted_at is null;
create index products_by_plan on products (project_id, grant_plan_id) where grant_plan_id is not null;
call app.tenant_table('products');

-- Stock is what ever came in. Of it, `sold` was paid for and `reserved` waits for payment; the rest is free.
create table product_variants (
  project_id uuid not null,
  id uuid not null,
  product_id uuid not null,
  name text not null default '',
  sku text,
  options jsonb not null default '{}',
  -- Null: the product's.
  price_minor bigint check (price_minor between 0 and 99999999999),
  is_active boolean not null default true,
  -- Null: not counted.
  stock bigint check (stock between 0 and 1000000000),
  reserved bigint not null default 0,
  sold bigint not null default 0,
  low_stock bigint not null default 0 check (low_stock between 0 and 1000000000),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (project_id, id),
  constraint variants_reserved check (reserved >= 0),
  constraint variants_sold check (sold >= 0),
  constraint variants_free check (reserved + sold <= coalesce(stock, reserved + sold)),
  constraint variants_product_fkey foreign key (project_id, product_id)
    references products (project_id, id) on delete cascade
) with (fillfactor = 50);
create unique index variants_sku_key on product_variants (project_id, sku) where deleted_at is null;
create index variants_of_product on product_variants (project_id, product_id, id);
call app.tenant_table('product_variants');

-- Every change of a variant's stock, reserved and sold. `adjust` changes the stock itself.
create table stock_moves (
  project_id uuid not null,
  id uuid not null,
  variant_id uuid not null,
  kind text not null check (kind in ('adjust', 'reserve', 'release', 'sell', 'restock')),
  quantity bigint not null,
  order_id uuid,
  reason text,
  created_at timestamptz not null,
  primary key (project_id, id),
  constraint stock_moves_variant_fkey foreign key (project_id, variant_id)
    references product_variants (project_id, id) on delete cascade
);
create index stock_moves_of_variant on stock_moves (project_id, variant_id, id);
call app.tenant_table('stock_moves');

-- Codes that lower the price of an order, and how often each was used.
create table discounts (
  project_id uuid not null references projects (id) on delete cascade,
  id uuid not null,
  code text not null,
  code_key text not null generated always as (lower(code)) stored,
  percent_milli integer check (percent_milli between 1 and 100000),
  amount_minor bigint check (amount_minor between 1 and 99999999999),
  currency text check (currency ~ '^[a-z]{3}$'),
  starts_at timestamptz,
  ends_at timestamptz,
  max_uses bigint check (max_uses > 0),
  max_uses_per_member bigint check (max_uses_per_member > 0),
  -- Empty: all.
  product_ids uuid[] not null default '{}',
  used bigint not null default 0,
  is_active boolean not null default true,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (project_id, id),
  constraint discounts_kind check ((percent_milli is null) <> (amount_minor is null)),
  constraint discounts_currency check ((amount_minor is null) = (currency is null)),
  constraint discounts_used check (used >= 0),
  constraint discounts_used_up check (used <= coalesce(max_uses, used))
) with (fillfactor = 50);
create unique index discounts_code_key on discounts (project_id, code_key) where deleted_at is null;
create index discounts_listed on discounts (project_id, id) where deleted_at is null;
call app.tenant_table('discounts');

-- One cart for each member. Every change of it makes a new version.
create table carts (
  project_id uuid not null,
  id uuid not null,
  member_id uuid not null,
  version bigint not null default 1,
  discount_id uuid,
  updated_at timestamptz not null,
  primary key (project_id, id),
  constraint carts_member_key unique (project_id, member_id),
  constraint carts_member_fkey foreign key (project_id, member_id)
    references members (project_id, id) on delete cascade,
  constraint carts_discount_fkey foreign key (project_id, discount_id)
    references discounts (project_id, id) on delete set null (discount_id)
) with (fillfactor = 70);
create index carts_by_discount on carts (project_id, discount_id) where discount_id is not null;
call app.tenant_table('carts');

-- What is in a cart, with the price that the member was shown.
create table cart_items (
  project_id uuid not null,
  id uuid not null,
  cart_id uuid not null,
  product_id uuid not null,
  variant_id uuid,
  quantity integer not null check (quantity between 1 and 10000),
  -- What the customer was shown.
  seen_price_minor bigint not null,
  seen_currency text not null,
  created_at timestamptz not null,
  primary key (project_id, id),
  constraint cart_items_once unique nulls not distinct (project_id, cart_id, product_id, variant_id),
  constraint cart_items_cart_fkey foreign key (project_id, cart_id) references carts (project_id, id) on delete cascade,
  constraint cart_items_product_fkey foreign key (project_id, product_id)
    references products (project_id, id) on delete cascade,
  constraint cart_items_variant_fkey foreign key (project_id, variant_id)
    references product_variants (project_id, id) on delete cascade
);
create index cart_items_by_product on cart_items (project_id, product_id);
create index cart_items_by_variant on cart_items (project_id, variant_id) where variant_id is not null;
call app.tenant_table('cart_items');

-- An order, from its check-out on. Its amounts, addresses and lines do not change with what they were made of.
create table orders (
  project_id uuid not null references projects (id) on delete cascade,
  id uuid not null,
  number text not null,
  -- No foreign key: the order outlives the row of a member who is forgotten.
  member_id uuid not null,
  cart_id uuid not null,
  cart_version bigint not null,
  status text not null check (status in ('pending_payment', 'paid', 'fulfilled', 'completed', 'canceled', 'refunded')),
  cancel_reason text check (cancel_reason in ('expired', 'by_customer', 'by_operator')),
  currency text not null,
  subtotal_minor bigint not null check (subtotal_minor >= 0),
  discount_minor bigint not null check (discount_minor between 0 and subtotal_minor),
  tax_minor bigint not null check (tax_minor >= 0),
  total_minor bigint not null,
  paid_minor bigint not null default 0 check (paid_minor in (0, total_minor)),
  refunded_minor bigint not null default 0 check (refunded_minor >= 0),
  discount_id uuid,
  discount_code text,
  addresses jsonb,
  note text,
  tracking_number text,
  tracking_url text,
  payment_id uuid,
  payment_account_id uuid,
  reserved_until timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- What orders are searched by, beside the buyer's address: their number and the names of what was bought.
  line_names text not null default '',
  search_text text not null generated always as (lower(number || E'\n' || line_names)) stored,
  -- Orders that wait for payment now were reserved for minutes: they do not count.
  by_hand boolean not null default false,
  primary key (project_id, id),
  constraint orders_number_key unique (project_id, number),
  constraint orders_once_per_cart_version unique (project_id, cart_id, cart_version),
  constraint orders_total check (total_minor = subtotal_minor - discount_minor),
  constraint orders_refunds_within_paid check (refunded_minor <= paid_minor)
) with (fillfactor = 70);
create index orders_of_member on orders (project_id, member_id, id);
create index orders_by_status on orders (project_id, status, id);
create index orders_reserved on orders (project_id, reserved_until) where status = 'pending_payment';
create index orders_by_discount on orders (project_id, discount_id, member_id) where discount_id is not null;
create index orders_search on orders using gin (search_text gin_trgm_ops) with (gin_pending_list_limit = 256);
create index orders_unpaid_by_hand on orders (project_id, member_id) where status = 'pending_payment' and by_hand;
call app.tenant_table('orders');

-- What was bought, as it was then.
create table order_lines (
  project_id uuid not null,
  id uuid not null,
  order_id uuid not null,
  place smallint not null,
  product_id uuid not null,
  variant_id uuid,
  name text not null,
  variant_name text not null,
  sku text,
  quantity integer not null check (quantity > 0),
  unit_minor bigint not null check (unit_minor >= 0),
  discount_minor bigint not null check (discount_minor >= 0),
  tax_milli integer,
  tax_minor bigint not null check (tax_minor >= 0),
  total_minor bigint not null,
  -- Whether its stock is counted.
  is_tracked boolean not null,
  grant_plan_id uuid,
  grant_features text[] not null default '{}',
  grant_course_id uuid,
  grant_days integer,
  granted_at timestamptz,
  taken_back_at timestamptz,
  refunded_quantity integer not null default 0,
  restocked_quantity integer not null default 0,
  primary key (project_id, id),
  constraint order_lines_total check (total_minor = unit_minor * quantity - discount_minor),
  constraint order_lines_refunded check (refunded_quantity between 0 and quantity),
  constraint order_lines_restocked check (restocked_quantity between 0 and refunded_quantity),
  constraint order_lines_order_fkey foreign key (project_id, order_id)
    references orders (project_id, id) on delete cascade
);
create index order_lines_of_order on order_lines (project_id, order_id, place);
call app.tenant_table('order_lines');

-- Every change of an order's status, and who made it.
create table order_history (
  project_id uuid not null,
  id uuid not null,
  order_id uuid not null,
  from_status text,
  to_status text not null,
  reason text,
  actor_kind text not null,
  actor_id text,
  created_at timestamptz not null,
  primary key (project_id, id),
  constraint order_history_order_fkey foreign key (project_id, order_id)
    references orders (project_id, id) on delete cascade
);
create index order_history_of_order on order_history (project_id, order_id, id);
call app.tenant_table('order_history');

-- What was given back of an order.
create table order_refunds (
  project_id uuid not null,
  id uuid not null,
  order_id uuid not null,
  amount_minor bigint not null check (amount_minor >= 0),
  status text not null check (status in ('pending', 'succeeded', 'failed')),
  -- [{line_id, quantity}]
  lines jsonb not null,
  restock boolean not null,
  reason text,
  -- Of billing, which moves the money.
  payment_refund_id uuid,
  created_at timestamptz not null,
  primary key (project_id, id),
  constraint order_refunds_order_fkey foreign key (project_id, order_id)
    references orders (project_id, id) on delete cascade
);
create index order_refunds_of_order on order_refunds (project_id, order_id, id);
create index order_refunds_by_payment on order_refunds (project_id, payment_refund_id) where payment_refund_id is not null;
call app.tenant_table('order_refunds');

-- Lets the tables' owner read, for app.search_orders (decision 0018).
do $$
begin
  execute format('create policy search on orders for select to %I using (true)', current_user);
end $$;

-- One page of the orders whose number, buyer's address or lines have a text, in the order of their ids, and how many there
-- are, up to 10,001. It finds them as `app.search_members` finds members.
--
-- Buyers are looked up or hashed, never merged: before statistics know that orders have more buyers than one, PostgreSQL
-- expects a merge to end early, and reads every member (1.9 s instead of 0.5 for a million).
create function app.search_orders(
  sought text, pattern text, only_status text, since timestamptz, before timestamptz, is_descending boolean,
  after_id uuid, most integer, skipped bigint, counts boolean, out ids uuid[], out total bigint
) language plpgsql stable security definer
  set search_path = pg_catalog, public, pg_temp
  set work_mem = '64MB'
  set jit = off
  set enable_mergejoin = off
  -- As app.search_members.
  set enable_seqscan = on
  set enable_hashjoin = on
  set random_page_cost = 4
as $$
declare
  most_counted constant integer := 10000;
  most_walked constant integer := 4000;
  direction text := case when is_descending then 'desc' else 'asc' end;
  filters text := concat_ws(' and ', 'o.project_id = $1',
    case when only_status is not null then 'o.status = $3' end,
    case when since is not null then 'o.created_at >= $4' end,
    case when before is not null then 'o.created_at < $5' end,
    case when after_id is not null then format('o.id %s $6', case when is_descending then '<' else '>' end) end);
  parts text := app.rare_parts(sought);
  own text := format('select o.id from orders o where %s and o.search_text like $2', filters);
  of_buyers text := format(
    'select o.id from orders o join members m on m.project_id = o.project_id and m.id = o.member_id
       where %s and m.project_id = $1 and m.email_key like $2', filters);
  -- The index of words has no members who are deleted.
  branches text[] := case when parts is null then array[own, of_buyers]
    else array[own, of_buyers || ' and m.deleted_at is null and ' || parts, of_buyers || ' and m.deleted_at is not null'] end;
begin
  if counts then
    execute format(
      'with found as materialized (%s) select (select count(*) from found),
         array(select id from found order by id %s limit $7 offset $8)',
      (select string_agg(format('(%s limit %s)', branch, most_counted + 1), ' union ') from unnest(branches) branch), direction)
      into total, ids
      using app.current_project(), pattern, only_status, since, before, after_id, most, skipped;
    if total <= most_counted then return; end if;
  end if;
  if skipped + most <= most_walked / 2 then
    execute format(
      'select array(select o.id from (select o.id, o.member_id, o.search_text from orders o where %s order by o.id %s limit %s) o
         left join members m on m.project_id = $1 and m.id = o.member_id
         where o.search_text like $2 or m.email_key like $2 order by o.id %s limit $7 offset $8)',
      filters, direction, most_walked, direction)
      into ids
      using app.current_project(), pattern, only_status, since, before, after_id, most, skipped;
    if cardinality(ids) = most then return; end if;
  end if;
  execute format('select array(select id from (%s) found order by id %s limit $7 offset $8)',
    array_to_string(branches, ' union '), direction)
    into ids
    using app.current_project(), pattern, only_status, since, before, after_id, most, skipped;
end $$;
revoke execute on function app.search_orders from public;
grant execute on function app.search_orders to guildhall_api;
