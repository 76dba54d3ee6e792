/**
 * What members paid, and what became of it, by member and currency, in the currency's smallest unit. The parts of a
 * member add up to 0:
 * - `paid_in`: payments that succeeded
 * - `paid_back`: refunds that were promised or made, and disputes that were lost
 * - `operators`: entries of the ledger as an operator decided
 * - `bills`: what the lines of paid bills charge
 * - `given_up`: what lines of paid bills give up of lines that were paid
 * - `refunded`: what refunds, to a card or to credit, and disputes took from lines of bills
 * - `orders`: what orders were paid, and not refunded
 * - `ledger`: what members have in hand, and what bills hold of it that are open; below zero what they owe
 * - `accepted`: differences that an operator has accepted, with a reason
 *
 * A bill that is not paid counts for nothing: so neither does what it would give up, and credit comes of paid lines only.
 * Parameter 1: the projects, or null for all of them.
 */
const AMOUNTS = `
  with amounts (project_id, member_id, currency, part, amount) as (
    select project_id, member_id, currency, 'paid_in', amount_minor from payments where status = 'succeeded'
    union all
    select p.project_id, p.member_id, p.currency, 'paid_back', -r.amount_minor
    from refunds r join payments p on p.project_id = r.project_id and p.id = r.payment_id
    where r.status <> 'failed' and p.status = 'succeeded'
    union all
    select project_id, member_id, currency, 'operators', amount_minor from credit_entries where kind = 'operator'
    union all
    select b.project_id, b.member_id, b.currency, 'bills', -l.amount_minor
    from bills b join bill_lines l on l.project_id = b.project_id and l.bill_id = b.id
    where b.status = 'paid' and l.kind <> 'credit' and l.amount_minor > 0
    union all
    select b.project_id, b.member_id, b.currency, 'given_up', -l.amount_minor
    from bills b join bill_lines l on l.project_id = b.project_id and l.bill_id = b.id
      join bill_lines s on s.project_id = l.project_id and s.id = l.source_line_id
      join bills of on of.project_id = s.project_id and of.id = s.bill_id
    where b.status = 'paid' and l.kind <> 'credit' and l.amount_minor < 0 and of.status = 'paid'
    union all
    select b.project_id, b.member_id, b.currency, 'refunded', p.amount_minor
    from bill_refund_lines p join bill_refunds r on r.project_id = p.project_id and r.id = p.refund_id
      join bills b on b.project_id = r.project_id and b.id = r.bill_id
    where r.status <> 'failed' and b.status = 'paid'
    union all
    select project_id, member_id, currency, 'orders', refunded_minor - paid_minor from orders
    union all
    select e.project_id, e.member_id, e.currency, 'ledger', -e.amount_minor
    from credit_entries e left join bills b on b.project_id = e.project_id and b.id = e.bill_id
    where not (b.status is not distinct from 'open' and e.kind in ('used', 'owed', 'billed', 'returned'))
    union all
    select project_id, member_id, currency, 'accepted', -amount_minor from accepted_differences
  ), sums as (
    select project_id, member_id, currency, sum(amount)::int8 as difference, PARTS
    from amounts
    where $1::uuid[] is null or project_id = any ($1)
    group by project_id, member_id, currency
  )`

/** The parts, in the order in which they are shown. */
export const PARTS = [
  ...(['paid_in', 'paid_back', 'operators', 'bills', 'given_up'] as const),
  ...(['refunded', 'orders', 'ledger', 'accepted'] as const),
] as const
export type Part = (typeof PARTS)[number]

const sumOf = (part: Part) => `coalesce(sum(amount) filter (where part = '${part}'), 0)::int8 as ${part}`

/** The most differences that an answer names; their number is always exact. */
const NAMED = 1_000

/** One row: how many sums there are, how many are not 0, and which. */
export const MONEY_QUERY = `${AMOUNTS.replace('PARTS', PARTS.map(sumOf).join(', '))}
  select (select count(*) from sums) as proved,
    (select count(*) from sums where difference <> 0) as different,
    (select coalesce(json_agg(s order by s.project_id, s.member_id, s.currency), '[]')
      from (select * from sums where difference <> 0 order by project_id, member_id, currency limit ${NAMED}) s
    ) as differences`
