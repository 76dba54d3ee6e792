import { type InferResult, sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { defineLookup, defineQuery, deriveQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { emit } from '#platform/events/emit.ts'
import { definePatch, givenField, jsonField, storedElsewhere } from '#platform/http/define-patch.ts'
import { toId } from '#platform/ids.ts'
import { defineList } from '#platform/lists/list.ts'
import { between, contains, equals } from '#platform/lists/list-filters.ts'
import { fromMinor } from '#platform/values/money.ts'
import { planInUse, planIsDefault, planRequired, slugTaken } from './errors.ts'
import { planUpdated } from './events.ts'
import { type Plan, PlanChanges } from './schema.ts'

const CONSTRAINTS = {
  plans_slug_key: slugTaken,
  plans_default_is_active: planIsDefault,
  // Plan versions that members or grants use prevent the deletion of their plan.
  members_plan_fkey: planInUse,
  grants_plan_fkey: planInUse,
  content_rule_plans_plan_fkey: planRequired,
}

/** Plans with the price that new members pay, and how many members are on them at any price. */
const plans = () =>
  query
    .selectFrom('plans as p')
    .innerJoin('plan_versions as v', (on) =>
      on.onRef('v.plan_id', '=', 'p.id').onRef('v.version', '=', 'p.version'),
    )
    .select(['p.id', 'p.name', 'p.slug', 'p.description', 'p.trial_days', 'p.features', 'p.limits', 'p.rank'])
    .select(['p.visibility', 'p.status', 'p.is_default', 'p.version', 'p.created_at', 'p.updated_at'])
    .select(['v.price_minor', 'v.currency', 'v.interval', 'v.interval_count'])
    .select(
      sql<number>`(select coalesce(sum(members), 0)::int8 from member_counts c where c.plan_id = p.id)`.as(
        'member_count',
      ),
    )
export type PlanRow = InferResult<ReturnType<typeof plans>>[number]

/** A row as clients see it. */
export const toPlan = ({ version, price_minor, ...row }: PlanRow): Plan => ({
  ...row,
  id: toId('plan', row.id),
  price: fromMinor(price_minor, row.currency),
  limits: row.limits as Plan['limits'],
  interval: row.interval as Plan['interval'],
  visibility: row.visibility as Plan['visibility'],
  status: row.status as Plan['status'],
})

const planById = defineLookup('plan_by_id', (v: { id: string }) => plans().where('p.id', '=', v.id))
/** @throws ApiError 404 */
export const getPlan = planById.map(toPlan).one('Plan')
/** The same as it is stored. @throws ApiError 404 */
export const getPlanRow = planById.one('Plan')

/** Those of these plans that exist. */
export const findPlans = defineLookup('plans_that_there_are', (v: { ids: readonly string[] }) =>
  query.selectFrom('plans').select('id').where('id', '=', sql<string>`any (${v.ids}::uuid[])`),
)

/** One page of plans, and how many there are in all. */
export const listPlans = defineList({
  label: 'plans',
  rows: plans,
  map: toPlan,
  key: 'p.id',
  filters: {
    status: equals<string>('p.status'),
    visibility: equals<string>('p.visibility'),
    ...between('p.created_at'),
  },
  search: contains('p.name', 'p.slug'),
  sorts: {
    rank: ['p.rank', 'int8'],
    name: ['p.name', 'text'],
    created_at: ['p.created_at', 'timestamptz'],
  },
})

/** What is written of a plan itself; the price is written as a version. */
export interface PlanFields {
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

const columns = (v: PlanFields) => ({
  ...pick(v, 'name', 'slug', 'description', 'trial_days', 'features', 'rank', 'visibility'),
  limits: sql<string>`${v.limits}::jsonb`,
})

/** @throws ApiError 422 SLUG_TAKEN */
export const insertPlan = defineQuery(
  'insert_plan',
  (v: PlanFields) =>
    query.insertInto('plans').values({ ...columns(v), id: v.id, created_at: now, updated_at: now }),
  CONSTRAINTS,
)

const price = givenField('version')
const current = deriveQuery(({ id }: { id: string; version: number }) => getPlan({ id }))
/** Changes what is sent of a plan that is locked; `version` is that of the price as it is now. @throws ApiError 422 SLUG_TAKEN */
export const patchPlan = definePatch('plans', {
  body: PlanChanges,
  current,
  columns: ['name', 'slug', 'description', 'trial_days', 'features', 'rank', 'visibility'],
  fields: {
    limits: jsonField('limits'),
    price,
    currency: price,
    interval: price,
    interval_count: price,
    is_default: storedElsewhere,
  },
  also: { updated_at: now },
  constraints: CONSTRAINTS,
  announce: (ctx, plan) => emit(ctx, planUpdated, plan),
})

export interface Price {
  price_minor: number
  currency: string
  interval: string
  interval_count: number
}

export const insertPlanVersion = defineQuery(
  'insert_plan_version',
  (v: Price & { id: string; plan_id: string; version: number }) =>
    query.insertInto('plan_versions').values({
      ...pick(v, 'id', 'plan_id', 'version', 'price_minor', 'currency', 'interval', 'interval_count'),
      created_at: now,
    }),
)

/** Two changes of the default run one after the other, because each would miss the other one. */
export const lockDefaultPlan = defineQuery('lock_default_plan', () =>
  query.selectNoFrom(
    sql`pg_advisory_xact_lock(hashtextextended('default plan ' || app.current_project(), 0))`.as('locked'),
  ),
)

/** Answers the former default plan. */
export const unsetDefaultPlan = defineQuery('unset_default_plan', () =>
  query
    .updateTable('plans')
    .set({ is_default: false, updated_at: now })
    .where('is_default', '=', true)
    .returning('id'),
).first()

export const setDefaultPlan = defineQuery(
  'set_default_plan',
  (v: { id: string }) =>
    query.updateTable('plans').set({ is_default: true, updated_at: now }).where('id', '=', v.id),
  CONSTRAINTS,
)

/** Locks a plan while a change to it is prepared. @throws ApiError 404 */
export const lockPlan = defineQuery('lock_plan', (v: { id: string }) =>
  query.selectFrom('plans').select('id').where('id', '=', v.id).forUpdate(),
).one('Plan')

/** @throws ApiError 422 PLAN_IS_DEFAULT */
export const setArchived = defineQuery(
  'archive_plan',
  (v: { id: string }) =>
    query.updateTable('plans').set({ status: 'archived', updated_at: now }).where('id', '=', v.id),
  CONSTRAINTS,
)

/** @throws ApiError 404, for the default plan too; 422 PLAN_IN_USE */
export const removePlan = defineQuery(
  'delete_plan',
  (v: { id: string }) =>
    query.deleteFrom('plans').where('id', '=', v.id).where('is_default', '=', false).returning('id'),
  CONSTRAINTS,
).one('Plan')
