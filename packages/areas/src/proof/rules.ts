/** Data that breaks a rule, written before the rule was made or by hand. */
export interface Rule {
  /** `snake_case`. */
  readonly name: string
  /** What is wrong with what is found. */
  readonly means: string
  /**
   * Finds it: `project_id`, `member_id`, and the `id` of the `type` of thing. Parameter 1: the projects, or null for all of
   * them.
   */
  readonly query: string
  /** It can be there rightly: only people can tell. */
  readonly isHint?: true
}

const ofProjects = (alias: string) => `($1::uuid[] is null or ${alias}.project_id = any ($1))`

/** Every rule about money that a query can check, the gravest first. */
export const RULES: readonly Rule[] = [
  {
    name: 'amount_mismatch',
    isHint: true,
    means: 'The provider took another amount than was asked for: resolve it with the provider',
    query: `select p.project_id, p.member_id, 'payment' as type, p.id from payments p
      where p.failure = 'amount_mismatch' and p.status <> 'succeeded' and ${ofProjects('p')}`,
  },
  {
    name: 'ariary_times_100',
    isHint: true,
    means:
      'Stripe took 100 times this amount in MGA, if a version charged it that did not know better: look the payment up at Stripe',
    // Only versions since this migration, which newer databases never had, are known to have charged the right amount, and those
    // only whole ariary.
    query: `select p.project_id, p.member_id, 'payment' as type, p.id from payments p
      where p.currency = 'mga' and p.provider_reference is not null and p.status = 'succeeded' and ${ofProjects('p')}
        and (p.amount_minor % 100 <> 0
          or p.created_at < (select applied_at from schema_migrations where name = '20261123T0111_auditor.sql'))`,
  },
  {
    name: 'money_without_purpose',
    means: 'The payment belongs to no bill and no order, and its refund failed: give it back by hand',
    query: `select p.project_id, p.member_id, 'payment' as type, p.id from payments p
      where p.status = 'succeeded' and p.refunded_minor < p.amount_minor and ${ofProjects('p')}
        and not exists (select from bills b where b.project_id = p.project_id and b.id = p.purpose_id
          and b.payment_id = p.id and p.purpose = 'bill')
        and not exists (select from orders o where o.project_id = p.project_id and o.id = p.purpose_id
          and o.payment_id = p.id and p.purpose = 'order')`,
  },
  {
    name: 'bill_without_money',
    means: 'The bill is paid, and no payment of its total is there',
    query: `select b.project_id, b.member_id, 'bill' as type, b.id from bills b
      where b.status = 'paid' and b.total_minor > 0 and ${ofProjects('b')}
        and not exists (select from payments p where p.project_id = b.project_id and p.id = b.payment_id
          and p.status = 'succeeded' and p.amount_minor = b.total_minor and p.currency = b.currency
          and p.member_id = b.member_id)`,
  },
  {
    name: 'order_without_money',
    means: 'The order is paid, and no payment of its total is there',
    query: `select o.project_id, o.member_id, 'order' as type, o.id from orders o
      where o.paid_minor > 0 and ${ofProjects('o')}
        and not exists (select from payments p where p.project_id = o.project_id and p.id = o.payment_id
          and p.status = 'succeeded' and p.amount_minor = o.paid_minor and p.currency = o.currency
          and p.member_id = o.member_id)`,
  },
  {
    name: 'refunds_of_payment',
    means: 'The payment says that another amount was refunded than its refunds add up to',
    query: `select p.project_id, p.member_id, 'payment' as type, p.id from payments p
      where ${ofProjects('p')} and p.refunded_minor <> (select coalesce(sum(r.amount_minor), 0) from refunds r
        where r.project_id = p.project_id and r.payment_id = p.id and r.status <> 'failed')`,
  },
  {
    name: 'credit_of_unpaid_time',
    means: 'A paid bill gives up time that was not paid for: what it credits came from nothing',
    query: `select b.project_id, b.member_id, 'bill' as type, b.id
      from bills b join bill_lines l on l.project_id = b.project_id and l.bill_id = b.id
        left join bill_lines s on s.project_id = l.project_id and s.id = l.source_line_id
        left join bills paid on paid.project_id = s.project_id and paid.id = s.bill_id
      where b.status = 'paid' and l.kind <> 'credit' and l.amount_minor < 0 and paid.status is distinct from 'paid'
        and ${ofProjects('b')}`,
  },
  {
    name: 'credit_of_dead_bill',
    means: 'A bill that ended unpaid has not given back the credit that it used',
    query: `select b.project_id, b.member_id, 'bill' as type, b.id
      from bills b join credit_entries e on e.project_id = b.project_id and e.bill_id = b.id
      where b.status in ('void', 'uncollectible') and e.kind in ('used', 'owed', 'billed', 'returned') and ${ofProjects('b')}
      group by b.project_id, b.id having sum(e.amount_minor) <> 0`,
  },
  {
    name: 'given_back_of_line',
    means: 'A line of the bill says that another amount was given back than was credited and refunded',
    query: `select b.project_id, b.member_id, 'bill' as type, b.id
      from bills b join bill_lines l on l.project_id = b.project_id and l.bill_id = b.id
      where ${ofProjects('b')} and l.given_back_minor
        <> (select coalesce(sum(-u.amount_minor), 0) from bill_lines u
            join bills of on of.project_id = u.project_id and of.id = u.bill_id
            where u.project_id = l.project_id and u.source_line_id = l.id and of.status in ('open', 'paid'))
          + (select coalesce(sum(p.amount_minor), 0) from bill_refund_lines p
            join bill_refunds r on r.project_id = p.project_id and r.id = p.refund_id
            where p.project_id = l.project_id and p.line_id = l.id and r.status <> 'failed')`,
  },
  {
    name: 'balance_of_ledger',
    means: 'The balance of the member is not the sum of the entries',
    query: `select member_id as id, 'member' as type, project_id, member_id from (
        select b.project_id, b.member_id, b.currency, b.amount_minor from credit_balances b where ${ofProjects('b')}
        union all
        select e.project_id, e.member_id, e.currency, -e.amount_minor from credit_entries e where ${ofProjects('e')}) a
      group by project_id, member_id, currency having sum(amount_minor) <> 0`,
  },
  {
    name: 'mrr_of_subscription',
    means: 'The changes of monthly recurring revenue do not add up to what the subscription brings in',
    query: `select s.project_id, s.member_id, 'subscription' as type, s.id
      from subscriptions s
      where ${ofProjects('s')} and exists (
        select from (
          select c.currency, c.amount_minor as amount from mrr_changes c
          where c.project_id = s.project_id and c.subscription_id = s.id
          union all
          select v.currency, -app.monthly_minor(v.price_minor, v.interval, v.interval_count) from plan_versions v
          where v.project_id = s.project_id and v.plan_id = s.plan_id and v.version = s.plan_version
            and s.status in ('active', 'past_due')) part
        group by part.currency having sum(part.amount) <> 0)`,
  },
  {
    name: 'trial_of_another_plan',
    means: 'The subscription is on trial of a plan that has no trial, or whose trial the member has used',
    query: `select s.project_id, s.member_id, 'subscription' as type, s.id
      from subscriptions s join plans p on p.project_id = s.project_id and p.id = s.plan_id
      where s.status = 'trialing' and ${ofProjects('s')} and p.trial_days = 0
        and not exists (select from plan_trials t where t.project_id = s.project_id and t.member_id = s.member_id
          and t.plan_id = s.plan_id)`,
  },
  {
    name: 'hidden_plan',
    isHint: true,
    means: 'The member took a plan that is hidden now: look whether it was public then',
    query: `select s.project_id, s.member_id, 'subscription' as type, s.id
      from subscriptions s join plans p on p.project_id = s.project_id and p.id = s.plan_id
      where s.status <> 'canceled' and p.visibility = 'hidden' and ${ofProjects('s')}
        and exists (select from subscription_moves m where m.project_id = s.project_id and m.subscription_id = s.id
          and m.actor_kind = 'member' and m.event in ('create', 'change'))`,
  },
  {
    name: 'deleted_member_not_paused',
    means: 'The member is deleted, and the subscription runs on',
    query: `select s.project_id, s.member_id, 'subscription' as type, s.id
      from subscriptions s join members m on m.project_id = s.project_id and m.id = s.member_id
      where s.status <> 'canceled' and s.suspended_at is null and m.deleted_at is not null and ${ofProjects('s')}`,
  },
  {
    name: 'discount_used_too_often',
    means: 'The member used a discount more often than it allows each member',
    query: `select o.project_id, o.member_id, 'discount' as type, o.discount_id as id
      from orders o join discounts d on d.project_id = o.project_id and d.id = o.discount_id
      where o.status <> 'canceled' and ${ofProjects('o')}
      group by o.project_id, o.member_id, o.discount_id, d.max_uses_per_member having count(*) > d.max_uses_per_member`,
  },
  {
    name: 'passes_overlap',
    means: 'The member was given two passes of the same kind for the same time',
    query: `select distinct g.project_id, g.member_id, 'member' as type, g.member_id as id
      from grants g join grants o on o.project_id = g.project_id and o.member_id = g.member_id and o.id > g.id
        and o.plan_id is not distinct from g.plan_id and o.course_id is not distinct from g.course_id
        and o.features @> g.features and o.features <@ g.features
        and o.starts_at < g.expires_at and g.starts_at < o.expires_at
      where g.source_type = 'order_line' and o.source_type = 'order_line' and ${ofProjects('g')}`,
  },
]

/** What is wrong with what breaks a rule. */
export const meaningOf = (rule: string): string => RULES.find(({ name }) => name === rule)?.means ?? rule
