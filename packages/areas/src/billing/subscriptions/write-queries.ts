import { sql } from 'kysely'
import { query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { alreadySubscribed, trialUsed } from '../errors.ts'

/** What is stored of a subscription's state, as JSON rows. */
export interface StoredSubscription {
  id: string
  member_id: string
  account_id: string | null
  plan_id: string
  plan_version: number
  status: string
  anchor_at: string
  periods: number
  period_start: string
  period_end: string
  trial_end: string | null
  trial_plan_id: string | null
  reminded: boolean
  cancel_at_period_end: boolean
  next_plan_id: string | null
  next_plan_version: number | null
  next_plan_is_later: boolean
  paused_at: string | null
  resume_at: string | null
  open_bill_id: string | null
  open_bill_reason: string | null
  dunning_step: number
  dunning_since: string | null
  dunning_at: string | null
  due_at: string | null
  cancel_reason: string | null
  suspended_at: string | null
  suspended_status: string | null
  at: string
}

const TYPES = sql.raw(`(id uuid, member_id uuid, account_id uuid, plan_id uuid, plan_version int, status text,
  anchor_at timestamptz, periods int, period_start timestamptz, period_end timestamptz, trial_end timestamptz,
  trial_plan_id uuid, reminded boolean, cancel_at_period_end boolean, next_plan_id uuid, next_plan_version int, next_plan_is_later boolean,
  paused_at timestamptz, resume_at timestamptz, open_bill_id uuid, open_bill_reason text, dunning_step int,
  dunning_since timestamptz, dunning_at timestamptz, due_at timestamptz, cancel_reason text, suspended_at timestamptz,
  suspended_status text, at timestamptz)`)

const STATE = [
  ...([
    'plan_id',
    'plan_version',
    'status',
    'anchor_at',
    'periods',
    'period_start',
    'period_end',
    'reminded',
  ] as const),
  ...([
    'cancel_at_period_end',
    'next_plan_id',
    'next_plan_version',
    'next_plan_is_later',
    'paused_at',
    'resume_at',
    'open_bill_id',
  ] as const),
  ...([
    'open_bill_reason',
    'dunning_step',
    'dunning_since',
    'dunning_at',
    'due_at',
    'cancel_reason',
  ] as const),
  ...(['trial_end', 'suspended_at', 'suspended_status'] as const),
] as const

const insert = statement(
  'insert_subscription',
  (v: { rows: string }) =>
    query
      .insertInto('subscriptions')
      .columns([
        ...(['id', 'member_id', 'account_id', 'trial_plan_id', ...STATE] as const),
        ...(['started_at', 'created_at', 'updated_at'] as const),
      ])
      .expression(
        sql`select r.id, r.member_id, r.account_id, r.trial_plan_id,
            ${sql.join(STATE.map((column) => sql.ref(`r.${column}`)))}, r.at, r.at, r.at
          from json_to_recordset(${v.rows}::json) as r ${TYPES}`,
      ),
  {
    subscriptions_one_live: alreadySubscribed,
    subscriptions_one_trial: trialUsed,
  },
)

/** @throws ApiError 422 ALREADY_SUBSCRIBED, TRIAL_USED */
export const insertSubscriptionRow = (ctx: Context, row: StoredSubscription) =>
  ctx.tx.run(insert, { rows: JSON.stringify([row]) })

const update = statement('store_subscriptions', (v: { rows: string }) =>
  query
    .updateTable('subscriptions as s')
    .from(sql<{ id: string }>`json_to_recordset(${v.rows}::json)`.as<'r'>(sql`r ${TYPES}`))
    .set({
      ...Object.fromEntries(STATE.map((column) => [column, sql.ref(`r.${column}`)])),
      revision: sql`s.revision + 1`,
      canceled_at: sql`case when r.status = 'canceled' then coalesce(s.canceled_at, r.at) end`,
      updated_at: sql`r.at`,
    })
    .whereRef('s.id', '=', 'r.id'),
)
export const storeSubscriptions = (ctx: Context, rows: readonly StoredSubscription[]) =>
  ctx.tx.run(update, { rows: JSON.stringify(rows) })

/** One move of a subscription. */
export interface Move {
  id: string
  subscription_id: string
  event: string
  from_status: string | null
  to_status: string
  from_plan_id: string | null
  to_plan_id: string
  takes_effect: string | null
  actor_kind: string
  reason: string | null
  occurred_at: string
}
const move = statement('insert_moves', (v: { rows: string }) =>
  query
    .insertInto('subscription_moves')
    .columns([
      'id',
      'subscription_id',
      'event',
      'from_status',
      'to_status',
      'from_plan_id',
      'to_plan_id',
      'takes_effect',
      'actor_kind',
      'reason',
      'occurred_at',
    ])
    .expression(
      sql`select r.id, r.subscription_id, r.event, r.from_status, r.to_status, r.from_plan_id, r.to_plan_id,
          r.takes_effect, r.actor_kind, r.reason, r.occurred_at
        from json_to_recordset(${v.rows}::json) as r (id uuid, subscription_id uuid, event text, from_status text,
          to_status text, from_plan_id uuid, to_plan_id uuid, takes_effect text, actor_kind text, reason text, occurred_at timestamptz)`,
    ),
)
export const insertMoveRows = (ctx: Context, rows: readonly Move[]) =>
  ctx.tx.run(move, { rows: JSON.stringify(rows) })

const tried = statement(
  'insert_plan_trial',
  (v: { id: string; member_id: string; plan_id: string }) =>
    query.insertInto('plan_trials').values({
      id: v.id,
      member_id: v.member_id,
      plan_id: v.plan_id,
      began_at: sql`(select app.project_now())`,
    }),
  { plan_trials_once: trialUsed },
)
/** Notes that a member tries a plan. @throws ApiError 422 TRIAL_USED */
export const insertTrial = (ctx: Context, trial: { id: string; member_id: string; plan_id: string }) =>
  ctx.tx.run(tried, trial)
