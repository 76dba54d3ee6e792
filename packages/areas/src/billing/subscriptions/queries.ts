import { type InferResult, type Selectable, sql } from 'kysely'
import { subscriptionId } from '#areas/entitlements/ids.ts'
import { now } from '#platform/db/project-clock.ts'
import { defineLookup, defineQuery, deriveQuery, insertRows, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { SubscriptionMoves, Subscriptions } from '#platform/db/tables.generated.ts'
import type { Context } from '#platform/db/tenant.ts'
import { parseId, toId } from '#platform/ids.ts'
import { defineList } from '#platform/lists/list.ts'
import { between, hasId, ofMemberFound, word } from '#platform/lists/list-filters.ts'
import { fromMinor } from '#platform/values/money.ts'
import { alreadySubscribed, trialUsed } from '../errors.ts'
import { accountId, billId } from '../ids.ts'
import type { PaidLine, PricedPlan } from './machine/prices.ts'
import type { OpenBill, Status } from './machine/state.ts'
import type { Subscription } from './schema.ts'

/** A version of a plan, as the state machine reads it. */
const priced = (plan: string, version: string) => sql<PricedPlan | null>`(
  select json_build_object('id', of_plan.id, 'version', price.version, 'name', of_plan.name, 'rank', of_plan.rank,
    'priceMinor', price.price_minor, 'currency', price.currency, 'interval', price.interval,
    'intervalCount', price.interval_count)
  from plans of_plan join plan_versions price on price.plan_id = of_plan.id
  where of_plan.id = ${sql.ref(plan)} and price.version = ${sql.ref(version)})`

const subscriptions = () =>
  query
    .selectFrom('subscriptions as s')
    .leftJoin('members as m', 'm.id', 's.member_id')
    .leftJoin('payment_accounts as a', 'a.id', 's.account_id')
    .select(['s.id', 's.member_id', 's.account_id', 's.status', 's.anchor_at', 's.periods', 's.period_start'])
    .select(['s.period_end', 's.trial_end', 's.reminded', 's.cancel_at_period_end', 's.paused_at'])
    .select(['s.resume_at', 's.open_bill_id', 's.next_plan_is_later', 's.dunning_step', 's.dunning_since'])
    .select(['s.dunning_at', 's.revision', 's.started_at', 's.canceled_at', 's.cancel_reason'])
    .select(['s.created_at', 's.updated_at', 's.suspended_at', 's.suspended_status'])
    .select(['m.email', 'm.full_name'])
    .select([
      priced('s.plan_id', 's.plan_version').as('plan'),
      priced('s.next_plan_id', 's.next_plan_version').as('next_plan'),
      sql<string | null>`nullif(a.provider, 'manual')`.as('provider'),
      sql<boolean>`(m.id is null or m.deleted_at is not null)`.as('member_gone'),
      sql<boolean>`coalesce(m.deleted_at is not null and m.anonymized_at is null, false)`.as(
        'member_deleted',
      ),
    ])
    .$narrowType<{ status: Status; suspended_status: Exclude<Status, 'canceled'> | null; plan: PricedPlan }>()

/**
 * A subscription as it is stored, with its plans. `provider` is that of the account; null: money is taken by hand.
 * `member_deleted`: the member is deleted and can be restored.
 */
export type SubscriptionRow = InferResult<ReturnType<typeof subscriptions>>[number] & {
  /** What paid for the present period; not in lists. */
  readonly paid_lines?: readonly PaidLine[]
  /** The oldest first; not in lists. */
  readonly open_bills?: readonly OpenBill[]
}

/**
 * A subscription that is locked, or read with its bills. `now` is the time by the project's clock, and never before the
 * last change: the transaction may have begun before the one that it waited for.
 */
export type LockedSubscription = SubscriptionRow & { readonly now: string }

/** A subscription as clients see it. */
export const toSubscription = (row: SubscriptionRow): Subscription => ({
  id: toId(subscriptionId, row.id),
  member_id: toId('member', row.member_id),
  plan_id: toId('plan', row.plan.id),
  status: row.status,
  price: fromMinor(row.plan.priceMinor, row.plan.currency),
  currency: row.plan.currency,
  interval: row.plan.interval,
  interval_count: row.plan.intervalCount,
  payment_account_id: row.account_id === null ? null : toId(accountId, row.account_id),
  period_start: row.period_start,
  period_end: row.period_end,
  trial_end: row.trial_end,
  cancel_at_period_end: row.cancel_at_period_end,
  next_plan_id: row.next_plan === null ? null : toId('plan', row.next_plan.id),
  paused_at: row.paused_at,
  resume_at: row.resume_at,
  open_bill_id: row.open_bill_id === null ? null : toId(billId, row.open_bill_id),
  canceled_at: row.canceled_at,
  cancel_reason: row.cancel_reason,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

/** @throws ApiError 404 */
export const getSubscription = defineLookup('subscription_by_id', (v: { id: string }) =>
  subscriptions().where('s.id', '=', v.id),
).one('Subscription')

/** One page of subscriptions, the newest first. */
export const listSubscriptions = defineList({
  label: 'subscriptions',
  rows: subscriptions,
  map: toSubscription,
  key: 's.id',
  filters: {
    member_id: hasId('s.member_id', (text) => parseId('member', text)),
    plan_id: hasId('s.plan_id', (text) => parseId('plan', text)),
    status: word<string>('s.status'),
    ...between('s.created_at'),
  },
  search: ofMemberFound('s.member_id'),
  sorts: { created_at: ['s.created_at', 'timestamptz'] },
})

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

/** Subscriptions without their bills. */
export const readSubscriptions = defineQuery('subscriptions', (v: { ids: readonly string[] }) =>
  subscriptions().where('s.id', '=', sql<string>`any (${v.ids}::uuid[])`).orderBy('s.id'),
)

const withBills = defineQuery('subscriptions_by_ids', (v: { ids: readonly string[] }) =>
  subscriptions()
    .select([
      paidLines.as('paid_lines'),
      openBills.as('open_bills'),
      sql<string>`greatest(date_trunc('milliseconds', ${now}), s.updated_at)`.as('now'),
    ])
    .where('s.id', '=', sql<string>`any (${v.ids}::uuid[])`)
    .orderBy('s.id'),
)
const oneWithBills = withBills.one('Subscription')
/** A subscription with its bills, which may change at any moment. @throws ApiError 404 */
export const getSubscriptionWithBills = deriveQuery(({ id }: { id: string }) => oneWithBills({ ids: [id] }))

const lockRows = defineQuery('lock_subscriptions', (v: { ids: readonly string[] }) =>
  query
    .selectFrom('subscriptions')
    .select('id')
    .where('id', '=', sql<string>`any (${v.ids}::uuid[])`)
    .orderBy('id')
    .forUpdate(),
)
/** Holds subscriptions still, and reads them as they are then. */
export function lockSubscriptions(ctx: Context, ids: readonly string[]): PromiseLike<LockedSubscription[]> {
  lockRows(ctx, { ids })
  return withBills(ctx, { ids })
}

const lockDue = defineQuery('lock_due_subscriptions', (v: { limit: number }) =>
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
export async function lockDueSubscriptions(ctx: Context, limit: number): Promise<LockedSubscription[]> {
  const found = await lockDue(ctx, { limit })
  return found.length === 0 ? [] : withBills(ctx, { ids: found.map(({ id }) => id) })
}

/** When the next subscription is due. */
export const nextDueSubscription = defineQuery('next_due_subscription', () =>
  query
    .selectFrom('subscriptions')
    .select('due_at')
    .where('due_at', 'is not', null)
    .orderBy('due_at')
    .limit(1),
).first()

/** The subscription of a member that has not ended. */
export const findLiveOf = defineQuery('live_subscription_of', (v: { member_id: string }) =>
  query
    .selectFrom('subscriptions')
    .select('id')
    .where('member_id', '=', v.member_id)
    .where('status', '<>', 'canceled'),
).first()

/** A plan at its present price, where it takes new members. */
export const findPlanToBuy = defineQuery('plan_to_subscribe', (v: { id: string }) =>
  query
    .selectFrom('plans as p')
    .innerJoin('plan_versions as v', (on) =>
      on.onRef('v.plan_id', '=', 'p.id').onRef('v.version', '=', 'p.version'),
    )
    .select(['p.trial_days', 'v.interval', priced('p.id', 'p.version').as('plan')])
    .where('p.id', '=', v.id)
    .where('p.status', '=', 'active')
    .$narrowType<{ plan: PricedPlan }>(),
).first()

/** A plan at the price of one version. @throws ApiError 404 */
export const getPricedVersion = defineQuery('plan_version_priced', (v: { id: string; version: number }) =>
  query
    .selectFrom('plan_versions as pv')
    .select(priced('pv.plan_id', 'pv.version').as('plan'))
    .where('pv.plan_id', '=', v.id)
    .where('pv.version', '=', v.version)
    .$narrowType<{ plan: PricedPlan }>(),
)
  .map(({ plan }) => plan)
  .one('Plan')

/** The trial that a member has had of a plan. */
export const findTrial = defineQuery('trial_of', (v: { member_id: string; plan_id: string }) =>
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
).first()

/** A preview of this subscription that still holds. */
export const findPreview = defineQuery('find_preview', (v: { id: string; subscription_id: string }) =>
  query
    .selectFrom('subscription_previews')
    .select(['revision', 'plan_id', 'plan_version', 'at_period_end', 'amount_minor', 'priced_at'])
    .where('id', '=', v.id)
    .where('subscription_id', '=', v.subscription_id)
    .where('expires_at', '>', now),
).first()

const STATE = [
  ...(['plan_id', 'plan_version', 'status', 'anchor_at', 'periods', 'period_start', 'period_end'] as const),
  ...(['trial_end', 'reminded', 'cancel_at_period_end', 'next_plan_id', 'next_plan_version'] as const),
  ...(['next_plan_is_later', 'paused_at', 'resume_at', 'open_bill_id', 'open_bill_reason'] as const),
  ...(['dunning_step', 'dunning_since', 'dunning_at', 'due_at', 'cancel_reason'] as const),
  ...(['suspended_at', 'suspended_status', 'updated_at'] as const),
] as const

/** What is stored of a subscription's state. */
export type StoredSubscription = Pick<
  Selectable<Subscriptions>,
  (typeof STATE)[number] | 'id' | 'member_id' | 'account_id' | 'trial_plan_id'
>

const insertOne = defineQuery(
  'insert_subscription',
  (v: { rows: string }) =>
    insertRows(
      'subscriptions',
      ['id', 'member_id', 'account_id', 'trial_plan_id', ...STATE, 'started_at', 'created_at'],
      v.rows,
    ),
  { subscriptions_one_live: alreadySubscribed, subscriptions_one_trial: trialUsed },
)
/** @throws ApiError 422 ALREADY_SUBSCRIBED, TRIAL_USED */
export function insertSubscription(ctx: Context, row: StoredSubscription): void {
  const { updated_at: at } = row
  insertOne(ctx, { rows: JSON.stringify([{ ...row, started_at: at, created_at: at }]) })
}

const update = defineQuery('store_subscriptions', (v: { rows: string }) =>
  query
    .updateTable('subscriptions as s')
    .from(sql<{ id: string }>`json_populate_recordset(null::subscriptions, ${v.rows}::json)`.as('r'))
    .set({
      ...Object.fromEntries(STATE.map((column) => [column, sql.ref(`r.${column}`)])),
      revision: sql`s.revision + 1`,
      canceled_at: sql`case when r.status = 'canceled' then coalesce(s.canceled_at, r.updated_at) end`,
    })
    .whereRef('s.id', '=', 'r.id'),
)
export function storeSubscriptions(ctx: Context, rows: readonly StoredSubscription[]): void {
  if (rows.length > 0) update(ctx, { rows: JSON.stringify(rows) })
}

const MOVE = [
  ...(['id', 'subscription_id', 'event', 'from_status', 'to_status', 'from_plan_id', 'to_plan_id'] as const),
  ...(['takes_effect', 'actor_kind', 'reason', 'occurred_at'] as const),
] as const
const insertMoveRows = defineQuery('insert_moves', (v: { rows: string }) =>
  insertRows('subscription_moves', MOVE, v.rows),
)
/** Writes moves of subscriptions. */
export function insertMoves(
  ctx: Context,
  rows: readonly Pick<Selectable<SubscriptionMoves>, (typeof MOVE)[number]>[],
): void {
  if (rows.length > 0) insertMoveRows(ctx, { rows: JSON.stringify(rows) })
}

/** Notes that a member tries a plan. @throws ApiError 422 TRIAL_USED */
export const insertTrial = defineQuery(
  'insert_plan_trial',
  (v: { id: string; member_id: string; plan_id: string }) =>
    query.insertInto('plan_trials').values({ ...pick(v, 'id', 'member_id', 'plan_id'), began_at: now }),
  { plan_trials_once: trialUsed },
)
