import { sql } from 'kysely'
import { defineList } from '#platform/db/lists/list.ts'
import { equals } from '#platform/db/lists/list-filters.ts'
import { lookup, query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { planInUse, planIsDefault, planRequired, slugTaken } from './errors.ts'

const CONSTRAINTS = {
  plans_slug_key: slugTaken,
  plans_default_is_active: planIsDefault,
  // Plan versions that members or grants use prevent the deletion of their plan.
  members_plan_fkey: planInUse,
  grants_plan_fkey: planInUse,
  content_rule_plans_plan_fkey: planRequired,
}

export const planColumns = [
  'p.id',
  'p.name',
  'p.slug',
  'p.description',
  'p.trial_days',
  'p.features',
  'p.limits',
  'p.rank',
  'p.visibility',
  'p.status',
  'p.is_default',
  'p.version',
  'p.created_at',
  'p.updated_at',
] as const

/** Plans with the price that new members pay, and how many members are on them at any price. */
const plans = () =>
  query
    .selectFrom('plans as p')
    .innerJoin('plan_versions as v', (on) =>
      on.onRef('v.plan_id', '=', 'p.id').onRef('v.version', '=', 'p.version'),
    )
    .select(planColumns)
    .select(['v.price_minor', 'v.currency', 'v.interval', 'v.interval_count'])
    .select(
      sql<number>`(select coalesce(sum(members), 0)::int8 from member_counts c where c.plan_id = p.id)`.as(
        'member_count',
      ),
    )

const planById = lookup('plan_by_id', (v: { id: string }) => plans().where('p.id', '=', v.id))

/** @throws ApiError 404 */
export const getPlan = (ctx: Context, id: string) => ctx.tx.one(planById, { id }, 'Plan')

/** One page of plans, and how many there are in all. */
export const listPlans = defineList({
  label: 'plans',
  rows: plans,
  key: 'p.id',
  filters: { status: equals<string>('p.status'), visibility: equals<string>('p.visibility') },
  sorts: {
    rank: ['p.rank', 'int8'],
    name: ['p.name', 'text'],
    created_at: ['p.created_at', 'timestamptz'],
  },
})

export interface PlanRow {
  id: string
  name: string
  slug: string
  description: string
  trial_days: number
  features: string[]
  limits: string
  rank: number
  visibility: string
}

const columns = (v: PlanRow) => ({
  name: v.name,
  slug: v.slug,
  description: v.description,
  trial_days: v.trial_days,
  features: v.features,
  limits: sql<string>`${v.limits}::jsonb`,
  rank: v.rank,
  visibility: v.visibility,
})

const insert = statement(
  'insert_plan',
  (v: PlanRow) => query.insertInto('plans').values({ ...columns(v), id: v.id }),
  CONSTRAINTS,
)

/** @throws ApiError 422 SLUG_TAKEN */
export const insertPlanRow = (ctx: Context, plan: PlanRow) => ctx.tx.all(insert, plan)

const update = statement(
  'update_plan',
  (v: PlanRow & { version: number }) =>
    query
      .updateTable('plans')
      .set({ ...columns(v), version: v.version, updated_at: sql`now()` })
      .where('id', '=', v.id),
  CONSTRAINTS,
)

/** @throws ApiError 422 SLUG_TAKEN */
export const updatePlanRow = (ctx: Context, plan: PlanRow & { version: number }) => ctx.tx.all(update, plan)

export interface Price {
  price_minor: number
  currency: string
  interval: string
  interval_count: number
}

const insertVersion = statement(
  'insert_plan_version',
  (v: Price & { id: string; plan_id: string; version: number }) =>
    query.insertInto('plan_versions').values({
      id: v.id,
      plan_id: v.plan_id,
      version: v.version,
      price_minor: v.price_minor,
      currency: v.currency,
      interval: v.interval,
      interval_count: v.interval_count,
    }),
)
export const insertPlanVersionRow = (
  ctx: Context,
  version: Price & { id: string; plan_id: string; version: number },
) => ctx.tx.all(insertVersion, version)

const lockDefault = statement('lock_default_plan', () =>
  query.selectNoFrom(
    sql`pg_advisory_xact_lock(hashtextextended('default plan ' || app.current_project(), 0))`.as('locked'),
  ),
)
const unsetDefault = statement('unset_default_plan', () =>
  query
    .updateTable('plans')
    .set({ is_default: false, updated_at: sql`now()` })
    .where('is_default', '=', true)
    .returning('id'),
)
const setDefault = statement(
  'set_default_plan',
  (v: { id: string }) =>
    query.updateTable('plans').set({ is_default: true, updated_at: sql`now()` }).where('id', '=', v.id),
  CONSTRAINTS,
)

/**
 * Makes a plan the default for new members. Two calls at the same time run one after the other, because each would miss
 * the other's change.
 * @returns the id of the former default plan
 */
export function moveDefault(ctx: Context, id: string): PromiseLike<string | undefined> {
  ctx.tx.all(lockDefault, {})
  return ctx.tx
    .first(unsetDefault, {})
    .and(ctx.tx.all(setDefault, { id }))
    .map(([former]) => former?.id)
}

const lock = statement('lock_plan', (v: { id: string }) =>
  query.selectFrom('plans').select('id').where('id', '=', v.id).forUpdate(),
)

/**
 * Locks a plan while a change to it is prepared.
 * @throws ApiError 404
 */
export const lockPlan = (ctx: Context, id: string) => ctx.tx.one(lock, { id }, 'Plan')

const archive = statement(
  'archive_plan',
  (v: { id: string }) =>
    query.updateTable('plans').set({ status: 'archived', updated_at: sql`now()` }).where('id', '=', v.id),
  CONSTRAINTS,
)
/** @throws ApiError 422 PLAN_IS_DEFAULT */
export const archivePlanRow = (ctx: Context, id: string) => ctx.tx.all(archive, { id })

const remove = statement(
  'delete_plan',
  (v: { id: string }) =>
    query.deleteFrom('plans').where('id', '=', v.id).where('is_default', '=', false).returning('id'),
  CONSTRAINTS,
)

/** @throws ApiError 404, for the default plan too; 422 PLAN_IN_USE */
export const deletePlanRow = (ctx: Context, id: string) => ctx.tx.one(remove, { id }, 'Plan')
