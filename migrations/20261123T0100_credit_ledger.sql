-- The ledger of credit, refunds of bills, and what they need to know of the lines of bills.

-- What is credited at most comes from a line that was paid. A line below zero gives time up, and names the line that paid
-- for that time; `given_back_minor` is what was given back of a line: credited, refunded, or lost in a dispute.
alter table bill_lines add column source_line_id uuid;
alter table bill_lines add column given_back_minor bigint not null default 0;
alter table bill_lines add constraint bill_lines_source_fkey foreign key (project_id, source_line_id)
  references bill_lines (project_id, id);
create index bill_lines_by_source on bill_lines (project_id, source_line_id) where source_line_id is not null;

-- The payment that paid a bill: others for the same bill were refunded.
alter table bills add column payment_id uuid;
create index bills_open on bills (project_id, subscription_id, number) where status = 'open';

create table bill_refunds (
  project_id uuid not null,
  id uuid not null,
  bill_id uuid not null,
  amount_minor bigint not null check (amount_minor > 0),
  destination text not null check (destination in ('payment', 'credit')),
  -- `request`: by the API; `provider`: an operator made it there; `dispute`: a bank gave the money back.
  cause text not null check (cause in ('request', 'provider', 'dispute')),
  status text not null check (status in ('pending', 'succeeded', 'failed')),
  reason text,
  -- The refund of the payment that moves the money.
  payment_refund_id uuid,
  created_at timestamptz not null,
  primary key (project_id, id),
  constraint bill_refunds_bill_fkey foreign key (project_id, bill_id) references bills (project_id, id) on delete cascade
);
create index bill_refunds_of_bill on bill_refunds (project_id, bill_id, id);
create unique index bill_refunds_by_payment on bill_refunds (project_id, payment_refund_id)
  where payment_refund_id is not null;
call app.tenant_table('bill_refunds');

-- How a refund is split over the lines. What no line has any more was credited before, and is an entry of the ledger.
create table bill_refund_lines (
  project_id uuid not null,
  id uuid not null,
  refund_id uuid not null,
  line_id uuid not null,
  amount_minor bigint not null check (amount_minor > 0),
  primary key (project_id, id),
  constraint bill_refund_lines_refund_fkey foreign key (project_id, refund_id)
    references bill_refunds (project_id, id) on delete cascade,
  constraint bill_refund_lines_line_fkey foreign key (project_id, line_id)
    references bill_lines (project_id, id) on delete cascade
);
create index bill_refund_lines_of_refund on bill_refund_lines (project_id, refund_id);
create index bill_refund_lines_of_line on bill_refund_lines (project_id, line_id);
call app.tenant_table('bill_refund_lines');

-- Entries are never changed and never deleted; the reason is blanked when its member is forgotten.
create table credit_entries (
  project_id uuid not null,
  id uuid not null,
  -- No foreign key: as bills, the ledger outlives the row of a member who is forgotten.
  member_id uuid not null,
  currency text not null check (currency ~ '^[a-z]{3}$'),
  amount_minor bigint not null check (amount_minor <> 0),
  -- `operator`; `carried_over`: what there was before the ledger; `line`: time that was paid for and given up; `refund`: a
  -- refund to credit; `used` by a bill; `owed`: too small to be charged; `billed`: what was owed, on a bill; `returned`: a
  -- bill ended unpaid or was reduced; `taken_back`: the money behind a credit went back to its payer.
  kind text not null check (kind in ('operator', 'carried_over', 'line', 'refund', 'used', 'owed', 'billed', 'returned',
    'taken_back')),
  -- The bill that made or used it.
  bill_id uuid,
  -- The paid line that it comes from.
  line_id uuid,
  refund_id uuid,
  reason text,
  actor_kind text not null,
  actor_id text,
  created_at timestamptz not null,
  primary key (project_id, id),
  constraint credit_entries_reason check (kind not in ('operator', 'carried_over') or reason is not null),
  constraint credit_entries_of_bill check (kind in ('operator', 'carried_over') or bill_id is not null),
  constraint credit_entries_of_line check (kind <> 'line' or line_id is not null),
  constraint credit_entries_of_refund check (kind not in ('refund', 'taken_back') or refund_id is not null),
  constraint credit_entries_sign check (case kind when 'line' then 1 when 'billed' then 1 when 'used' then -1 when 'owed' then -1
    else sign(amount_minor) end = sign(amount_minor)),
  constraint credit_entries_bill_fkey foreign key (project_id, bill_id) references bills (project_id, id),
  constraint credit_entries_line_fkey foreign key (project_id, line_id) references bill_lines (project_id, id),
  constraint credit_entries_refund_fkey foreign key (project_id, refund_id) references bill_refunds (project_id, id)
);
create index credit_entries_by_member on credit_entries (project_id, member_id, id);
create index credit_entries_by_bill on credit_entries (project_id, bill_id) where bill_id is not null;
create index credit_entries_by_line on credit_entries (project_id, line_id) where line_id is not null;
create index credit_entries_by_refund on credit_entries (project_id, refund_id) where refund_id is not null;
call app.tenant_table('credit_entries');
revoke update, delete on credit_entries from guildhall_api;
grant update (reason) on credit_entries to guildhall_api;

-- The balance is the sum of the entries, kept for its lock. What is owed is below zero.
alter table credit_balances drop constraint credit_balances_amount_minor_check;

-- Which plans a member has tried. One subscription may try several.
create table plan_trials (
  project_id uuid not null,
  id uuid not null,
  member_id uuid not null,
  plan_id uuid not null,
  began_at timestamptz not null,
  primary key (project_id, id),
  constraint plan_trials_once unique (project_id, member_id, plan_id)
);
call app.tenant_table('plan_trials');

-- What a move made of the plan.
alter table subscription_moves add column from_plan_id uuid;
alter table subscription_moves add column to_plan_id uuid;
alter table subscription_moves add column takes_effect text check (takes_effect in ('now', 'when_paid', 'period_end'));

-- `next_plan_id` was asked for after the open bill of a change, and outlasts it.
alter table subscriptions add column next_plan_is_later boolean not null default false;

-- Whoever migrates owns these tables, and for a moment sees the rows of all projects.
alter table bills no force row level security;
alter table bill_lines no force row level security;
alter table bill_refunds no force row level security;
alter table bill_refund_lines no force row level security;
alter table credit_balances no force row level security;
alter table credit_entries no force row level security;
alter table payments no force row level security;
alter table refunds no force row level security;
alter table subscriptions no force row level security;
alter table plan_trials no force row level security;

-- The line that paid for the time that a line gave up: the last one before it of the same plan.
update bill_lines l set source_line_id = (
    select source.id
    from bill_lines source join bills paid on paid.project_id = source.project_id and paid.id = source.bill_id
    where source.project_id = l.project_id and paid.subscription_id = b.subscription_id and paid.number < b.number
      and source.plan_id = l.plan_id and source.kind <> 'credit' and source.amount_minor > 0
    order by paid.number desc, source.position desc
    limit 1)
  from bills b
  where b.project_id = l.project_id and b.id = l.bill_id and l.kind = 'proration' and l.amount_minor < 0;
update bill_lines l set given_back_minor = least(l.amount_minor, given.amount)
  from (
    select u.project_id, u.source_line_id as id, sum(-u.amount_minor) as amount
    from bill_lines u join bills b on b.project_id = u.project_id and b.id = u.bill_id
    where u.source_line_id is not null and b.status in ('open', 'paid')
    group by 1, 2) given
  where given.project_id = l.project_id and given.id = l.id;

update bills b set payment_id = (
    select p.id from payments p
    where p.project_id = b.project_id and p.purpose = 'bill' and p.purpose_id = b.id and p.status = 'succeeded'
    order by exists (
        select from refunds r where r.project_id = p.project_id and r.payment_id = p.id and r.reason = 'unwanted'), p.id
    limit 1)
  where b.status = 'paid' and b.total_minor > 0;

-- Refunds of before, split over the lines in their order.
insert into bill_refunds (project_id, id, bill_id, amount_minor, destination, cause, status, reason, payment_refund_id, created_at)
  select r.project_id, gen_random_uuid(), b.id, r.amount_minor, 'payment',
    case r.reason when 'the payer won a dispute' then 'dispute' else 'provider' end, r.status, r.reason, r.id, r.created_at
  from refunds r join bills b on b.project_id = r.project_id and b.payment_id = r.payment_id;
with parts as (
    select l.project_id, l.bill_id, l.id, l.amount_minor - l.given_back_minor as room,
      sum(l.amount_minor - l.given_back_minor) over w - (l.amount_minor - l.given_back_minor) as before
    from bill_lines l
    where l.kind <> 'credit' and l.amount_minor > l.given_back_minor
    window w as (partition by l.project_id, l.bill_id order by l.position)),
  wanted as (
    select r.project_id, r.bill_id, r.id, r.amount_minor, sum(r.amount_minor) over w - r.amount_minor as before
    from bill_refunds r where r.status <> 'failed'
    window w as (partition by r.project_id, r.bill_id order by r.created_at, r.id))
insert into bill_refund_lines (project_id, id, refund_id, line_id, amount_minor)
  select w.project_id, gen_random_uuid(), w.id, p.id,
    least(p.before + p.room, w.before + w.amount_minor) - greatest(p.before, w.before)
  from wanted w join parts p on p.project_id = w.project_id and p.bill_id = w.bill_id
    and p.before < w.before + w.amount_minor and w.before < p.before + p.room;
update bill_lines l set given_back_minor = l.given_back_minor + given.amount
  from (select project_id, line_id as id, sum(amount_minor) as amount from bill_refund_lines group by 1, 2) given
  where given.project_id = l.project_id and given.id = l.id;
alter table bill_lines add constraint bill_lines_given_back check (given_back_minor between 0 and greatest(amount_minor, 0));

-- Balances of before become entries. What open bills have used is with them, so that it comes back where they end unpaid.
insert into credit_entries (project_id, id, member_id, currency, amount_minor, kind, bill_id, actor_kind, created_at)
  select b.project_id, gen_random_uuid(), b.member_id, b.currency, l.amount_minor, 'used', b.id, 'system', b.created_at
  from bills b join bill_lines l on l.project_id = b.project_id and l.bill_id = b.id
  where b.status = 'open' and l.kind = 'credit' and l.amount_minor < 0;
insert into credit_entries (project_id, id, member_id, currency, amount_minor, kind, reason, actor_kind, created_at)
  select project_id, gen_random_uuid(), member_id, currency, sum(amount), 'carried_over', 'The balance before the ledger',
    'system', min(at)
  from (
    select project_id, member_id, currency, amount_minor as amount, now() as at from credit_balances
    union all
    select project_id, member_id, currency, -amount_minor, created_at from credit_entries where kind = 'used') had
  group by project_id, member_id, currency
  having sum(amount) <> 0;

insert into plan_trials (project_id, id, member_id, plan_id, began_at)
  select project_id, id, member_id, trial_plan_id, started_at from subscriptions where trial_plan_id is not null;

-- By hand, bills of changes follow the dates of bills, too.
update subscriptions s set due_at = least(s.due_at, b.due_at + interval '14 days')
  from bills b
  where b.project_id = s.project_id and b.subscription_id = s.id and b.status = 'open' and b.reason = 'change'
    and s.status <> 'canceled' and s.open_bill_id is distinct from b.id;

alter table bills force row level security;
alter table bill_lines force row level security;
alter table bill_refunds force row level security;
alter table bill_refund_lines force row level security;
alter table credit_balances force row level security;
alter table credit_entries force row level security;
alter table payments force row level security;
alter table refunds force row level security;
alter table subscriptions force row level security;
alter table plan_trials force row level security;
