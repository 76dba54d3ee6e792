import { sql } from 'kysely'
import { defineList } from '#platform/db/lists/list.ts'
import { equals, hasId } from '#platform/db/lists/list-filters.ts'
import { lookup, query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { parseId } from '#platform/ids.ts'
import type { PaidLine, PricedPlan } from './machine/prices.ts'
import type { OpenBill, Status } from './machine/state.ts'

const now = sql<string>`(select app.project_now())`

/** A version of a plan, as the state machine reads it. */
const priced = (plan: string, version: string) => sql<PricedPlan | null>`(
  select json_build_object('id', of_plan.id, 'version', price.version, 'name', of_plan.name, 'rank', of_plan.rank,
    'priceMinor', price.price_minor, 'currency', price.currency, 'interval', price.interval,
    'intervalCount', price.interval_count)
  from plans of_plan join plan_versions price on price.plan_id = of_plan.id
  where of_plan.id = ${sql.ref(plan)} and price.version = ${sql.ref(version)})`

/** A subscription as it lies in the database, with its plans. */
export interface SubscriptionRow {
  id: string
  member_id: string
  account_id: string | null
  status: Status
  anchor_at: string
  periods: number
  period_start: string
  period_end: string
  trial_end: string | null
  reminded: boolean
  cancel_at_period_end: boolean
  paused_at: string | null
  resume_at: string | null
  open_bill_id: string | null
  next_plan_is_later: boolean
  dunning_step: number
  dunning_since: string | null
  dunning_at: string | null
  revision: number
  started_at: string
  canceled_at: string | null
  cancel_reason: string | null
  suspended_at: string | null
  suspended_status: Exclude<Status, 'canceled'> | null
  created_at: string
  updated_at: string
  plan: PricedPlan
  next_plan: PricedPlan | null
  /** Of the account; null: money is taken by hand. */
  provider: string | null
  /** What paid for the present period; not in lists. */
  paid_lines?: readonly PaidLine[]
  /** The oldest first; not in lists. */
  open_bills?: readonly OpenBill[]
  member_gone: boolean
  /** The member is deleted and can be restored. */
  member_deleted: boolean
  email: string | null
  full_name: string | null
}

/** A subscription that is held still, or read with its bills. */
export interface HeldSubscription extends SubscriptionRow {
  /**
   * By the project's clock, and never before its last change: the transaction may have begun before the one that it waited for.
   */
  now: string
}

const rows = () =>
  query
    .selectFrom('subscriptions as s')
    .leftJoin('members as m', 'm.id', 's.member_id')
    .leftJoin('payment_accounts as a', 'a.id', 's.account_id')
    .select([
      ...([
        's.id',
        's.member_id',
        's.account_id',
        's.status',
        's.anchor_at',
        's.periods',
        's.period_start',
      ] as const),
      ...([
        's.period_end',
        's.trial_end',
        's.reminded',
        's.cancel_at_period_end',
        's.paused_at',
        's.resume_at',
      ] as const),
      ...([
        's.open_bill_id',
        's.next_plan_is_later',
        's.dunning_step',
        's.dunning_since',
        's.dunning_at',
      ] as const),
      ...([
        's.revision',
        's.started_at',
        's.canceled_at',
        's.cancel_reason',
        's.created_at',
        's.updated_at',
      ] as const),
      ...(['s.suspended_at', 's.suspended_status', 'm.email', 'm.full_name'] as const),
    ])
    .select([
      priced('s.plan_id', 's.plan_version').as('plan'),
      priced('s.next_plan_id', 's.next_plan_version').as('next_plan'),
      sql<string | null>`nullif(a.provider, 'manual')`.as('provider'),
      sql<boolean>`(m.id is null or m.deleted_at is not null)`.as('member_gone'),
      sql<boolean>`coalesce(m.deleted_at is not null and m.anonymized_at is null, false)`.as(
        'member_deleted',
      ),
    ])

const byId = lookup('subscription_by_id', (v: { id: string }) => rows().where('s.id', '=', v.id))
/** @throws ApiError 404 */
export const getSubscription = (ctx: Context, id: string) =>
  ctx.tx.one(byId, { id }, 'Subscription').map((row) => row as SubscriptionRow)

/** One page of subscriptions, the newest first. */
export const listSubscriptions = defineList({
  label: 'subscriptions',
  rows,
  key: 's.id',
  filters: {
    member_id: hasId('s.member_id', (text) => parseId('member', text)),
    status: equals<string>('s.status'),
  },
  indexed: ['member_id', 'status'],
})

const lock = statement('lock_subscriptions', (v: { ids: readonly string[] }) =>
  query
    .selectFrom('subscriptions')
    .select('id')
    .where('id', '=', sql<string>`any (${v.ids}::uuid[])`)
    .orderBy('id')
    .forUpdate(),
)
/** The number of the bill that the present period began with: the last one with a line for a whole period. */
const firstOfPeriod = sql`(
  select max(first.number) from bills first join bill_lines whole on whole.bill_id = first.id
  where first.subscription_id = s.id and whole.kind = 'period')`

/** Bills that are not paid yet. */
const openBills = sql<OpenBill[]>`(
  select coalesce(json_agg(json_build_object('id', b.id, 'reason', b.reason,
    'dueSince', round(extract(epoch from b.due_at) * 1000)::bigint,
    'plan', ${priced('b.change_plan_id', 'b.change_plan_version')},
    'beginsPeriod', exists (select from bill_lines l where l.bill_id = b.id and l.kind = 'period'),
    'isOfPeriod', b.number >= ${firstOfPeriod}) order by b.due_at, b.number), '[]')
  from bills b where b.subscription_id = s.id and b.status = 'open')`

/** Paid lines of the present period, but for those whose time was given up. */
const paidLines = sql<PaidLine[]>`(
  select coalesce(json_agg(json_build_object('id', l.id, 'planId', l.plan_id, 'name', p.name,
    'lengthMs', (extract(epoch from l.period_end - l.period_start) * 1000)::bigint,
    'amountMinor', l.amount_minor, 'paidMinor', l.amount_minor - l.given_back_minor) order by l.id), '[]')
  from bills b join bill_lines l on l.bill_id = b.id join plans p on p.id = l.plan_id
  where b.subscription_id = s.id and b.status = 'paid' and l.kind <> 'credit' and l.amount_minor > 0
    and b.number >= ${firstOfPeriod}
    and not exists (
      select from bill_lines up join bills later on later.id = up.bill_id
      where up.source_line_id = l.id and later.status in ('open', 'paid')))`

const byIds = statement('subscriptions_by_ids', (v: { ids: readonly string[] }) =>
  rows()
    .select([
      paidLines.as('paid_lines'),
      openBills.as('open_bills'),
      sql<string>`greatest(date_trunc('milliseconds', ${now}), s.updated_at)`.as('now'),
    ])
    .where('s.id', '=', sql<string>`any (${v.ids}::uuid[])`)
    .orderBy('s.id'),
)
/** A subscription with its bills, which may change at any moment. @throws ApiError 404 */
export const getSubscriptionWithBills = (ctx: Context, id: string) =>
  ctx.tx.one(byIds, { ids: [id] }, 'Subscription').map((row) => row as HeldSubscription)

/** Holds subscriptions still, and reads them as they are then. */
export async function lockSubscriptions(ctx: Context, ids: readonly string[]): Promise<HeldSubscription[]> {
  await ctx.tx.all(lock, { ids })
  return (await ctx.tx.all(byIds, { ids })) as HeldSubscription[]
}

const lockDue = statement('lock_due_subscriptions', (v: { limit: number }) =>
  query
    .selectFrom('subscriptions')
    .select('id')
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(v.limit)
    .forUpdate()
    .skipLocked(),
)
/** Subscriptions whose time has come, for this worker alone. */
export async function lockDueSubscriptions(ctx: Context, limit: number): Promise<HeldSubscription[]> {
  const found = await ctx.tx.all(lockDue, { limit })
  if (found.length === 0) return []
  return (await ctx.tx.all(byIds, { ids: found.map(({ id }) => id) })) as HeldSubscription[]
}

const next = statement('next_due_subscription', () =>
  query
    .selectFrom('subscriptions')
    .select('due_at')
    .where('due_at', 'is not', null)
    .orderBy('due_at')
    .limit(1),
)
/** When the next subscription is due. */
export const nextDueSubscription = (ctx: Context) => ctx.tx.first(next, {}).map((row) => row?.due_at ?? null)

const liveOf = statement('live_subscription_of', (v: { member_id: string }) =>
  query
    .selectFrom('subscriptions')
    .select('id')
    .where('member_id', '=', v.member_id)
    .where('status', '<>', 'canceled'),
)
/** The subscription of a member that has not ended. */
export const findLiveOf = (ctx: Context, member_id: string) => ctx.tx.first(liveOf, { member_id })

const planToBuy = statement('plan_to_subscribe', (v: { id: string }) =>
  query
    .selectFrom('plans as p')
    .innerJoin('plan_versions as v', (on) =>
      on.onRef('v.plan_id', '=', 'p.id').onRef('v.version', '=', 'p.version'),
    )
    .select(['p.trial_days', 'v.interval', priced('p.id', 'p.version').as('plan')])
    .where('p.id', '=', v.id)
    .where('p.status', '=', 'active'),
)
/** A plan at its present price, where it takes new members. */
export const findPlanToBuy = (ctx: Context, id: string) => ctx.tx.first(planToBuy, { id })

const versionOf = statement('plan_version_priced', (v: { id: string; version: number }) =>
  query
    .selectFrom('plan_versions as pv')
    .select(priced('pv.plan_id', 'pv.version').as('plan'))
    .where('pv.plan_id', '=', v.id)
    .where('pv.version', '=', v.version),
)
/** A plan at the price of one version. */
export const getPricedVersion = (ctx: Context, id: string, version: number) =>
  ctx.tx.one(versionOf, { id, version }, 'Plan').map(({ plan }) => plan as PricedPlan)

const trialOf = statement('trial_of', (v: { member_id: string; plan_id: string }) =>
  query
    .selectFrom('plan_trials')
    .select('id')
    .where('member_id', '=', v.member_id)
    .where('plan_id', '=', v.plan_id)
    .unionAll(
      // Of a version that noted it with the subscription alone.
      query
        .selectFrom('subscriptions')
        .select('id')
        .where('member_id', '=', v.member_id)
        .where('trial_plan_id', '=', v.plan_id),
    )
    .limit(1),
)
/** The trial that a member has had of a plan. */
export const findTrial = (ctx: Context, member_id: string, plan_id: string) =>
  ctx.tx.first(trialOf, { member_id, plan_id })
