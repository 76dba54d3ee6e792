import { type RawBuilder, sql } from 'kysely'
import { Type } from 'typebox'
import { audit } from '#platform/audit.ts'
import type { Context } from '#platform/db/tenant.ts'
import { invalidField } from '#platform/errors.ts'
import { emit } from '#platform/events/emit.ts'
import { readNamedIds } from '#platform/http/named-ids.ts'
import { newUuid, parseId, toId } from '#platform/ids.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import { fromMinor, isCurrency, toMinor } from '#platform/values/money.ts'
import { planIsDefault } from './errors.ts'
import { planArchived, planCreated, planDeleted } from './events.ts'
import {
  findPlans,
  getPlan,
  getPlanRow,
  insertPlan,
  insertPlanVersion,
  lockDefaultPlan,
  lockPlan,
  type PlanFields,
  type Price,
  patchPlan,
  removePlan,
  setArchived,
  setDefaultPlan,
  unsetDefaultPlan,
} from './queries.ts'
import type { NewPlan, Plan, PlanChanges } from './schema.ts'

/**
 * Moves members who have the former default plan only because it was the default to the new one. The job is defined in
 * another area.
 */
export const followDefault = {
  name: 'plans.follow-default',
  lane: 'due',
  payload: Type.Object({ former_plan_id: Type.String() }),
} as const

/** Has enrollments follow the features of a plan, which have changed. The job is defined in another area. */
export const followFeatures = {
  name: 'plans.follow-features',
  lane: 'default',
  payload: Type.Object({ plan_id: Type.String() }),
} as const

/** Whether a plan is one that everybody may see. @param plan its table or alias */
const isPublished = (plan: string) =>
  sql<boolean>`${sql.ref(`${plan}.status`)} = 'active' and ${sql.ref(`${plan}.visibility`)} = 'public'`

/**
 * SQL for queries of other areas: of an array of ids of plans, those of plans that everybody may see, in their order.
 * Only secret keys see others.
 */
export const publishedPlans = (ids: RawBuilder<unknown>): RawBuilder<string[]> =>
  sql`array(select named.id from unnest(${ids}) with ordinality as named (id, place)
    join plans as shown on shown.id = named.id where ${isPublished('shown')} order by named.place)`

/** The same of one id, or null. */
export const publishedPlan = (id: RawBuilder<unknown>): RawBuilder<string | null> =>
  sql`(select shown.id from plans as shown where shown.id = ${id} and ${isPublished('shown')})`

/** The stored ids of plans that a list of a body names. @throws ApiError 422 with each that is no plan, by its place */
export const readPlanIds = (ctx: Context, field: string, ids: readonly string[]): Promise<string[]> =>
  readNamedIds({
    field,
    ids,
    parse: (id) => parseId('plan', id),
    find: (stored) => findPlans(ctx, { ids: stored }),
    message: 'is not a plan of this project',
  })

/** @throws ApiError 422 SLUG_TAKEN, or VALIDATION_ERROR for a price with too many decimals */
export async function createPlan(ctx: Context, input: NewPlan): Promise<Plan> {
  const row: PlanFields = {
    id: newUuid(),
    name: input.name,
    slug: input.slug ?? slugOf(input.name),
    description: input.description ?? '',
    trial_days: input.trial_days ?? 0,
    features: input.features ?? [],
    limits: JSON.stringify(input.limits ?? {}),
    rank: input.rank ?? 0,
    visibility: input.visibility ?? 'public',
  }
  const price = toPrice({
    currency: 'usd',
    interval: input.price === 0 ? 'free' : 'month',
    interval_count: 1,
    ...input,
  })
  insertPlan(ctx, row)
  insertPlanVersion(ctx, { id: newUuid(), plan_id: row.id, version: 1, ...price })
  if (input.is_default) await changeDefault(ctx, row.id)
  const plan = await getPlan(ctx, { id: row.id })
  emit(ctx, planCreated, plan)
  return plan
}

/**
 * Changes what is given. A change of price, currency or interval makes a new version: members keep theirs.
 * @throws ApiError 404; 422 SLUG_TAKEN, PLAN_IS_DEFAULT, or VALIDATION_ERROR for a price with too many decimals
 */
export async function updatePlan(ctx: Context, id: string, changes: PlanChanges): Promise<Plan> {
  lockPlan(ctx, { id })
  const before = await getPlanRow(ctx, { id })
  const price = toPrice({ ...before, price: fromMinor(before.price_minor, before.currency), ...changes })
  const version = samePrice(price, before) ? before.version : before.version + 1
  if (version !== before.version) insertPlanVersion(ctx, { id: newUuid(), plan_id: id, version, ...price })
  if (changes.is_default === true && !before.is_default) await changeDefault(ctx, id)
  if (changes.is_default === false && before.is_default) throw planIsDefault()
  if (changes.features !== undefined) enqueue(ctx, followFeatures, { plan_id: id })
  return patchPlan(ctx, { id, version, changes, ifMatch: undefined })
}

/** Archives a plan: new members cannot get it, present members keep it. @throws ApiError 404; 422 PLAN_IS_DEFAULT */
export async function archivePlan(ctx: Context, id: string): Promise<Plan> {
  const before = await getPlan(ctx, { id })
  if (before.status === 'archived') return before
  setArchived(ctx, { id })
  const plan = await getPlan(ctx, { id })
  emit(ctx, planArchived, plan)
  return plan
}

/** @throws ApiError 404; 422 PLAN_IS_DEFAULT or PLAN_IN_USE */
export async function deletePlan(ctx: Context, id: string): Promise<void> {
  const { name, is_default } = await getPlan(ctx, { id })
  if (is_default) throw planIsDefault()
  removePlan(ctx, { id })
  emit(ctx, planDeleted, { id: toId('plan', id) })
  audit(ctx, { action: 'plan.delete', target: toId('plan', id), before: { name } })
}

/**
 * Makes a plan the default. A job then moves members who have the former default plan only because it was the default.
 */
async function changeDefault(ctx: Context, id: string): Promise<void> {
  lockDefaultPlan(ctx)
  const unset = unsetDefaultPlan(ctx)
  setDefaultPlan(ctx, { id })
  const former = await unset
  if (former !== undefined && former.id !== id) enqueue(ctx, followDefault, { former_plan_id: former.id })
}

function toPrice(input: {
  price: number
  currency: string
  interval: string
  interval_count: number
}): Price {
  const { currency, interval, interval_count } = input
  if (!isCurrency(currency)) throw invalidField('currency', 'currency', 'is not a currency of ISO 4217')
  const price_minor = toMinor(input.price, currency)
  if (price_minor === undefined)
    throw invalidField('price', 'decimals', `has more decimals than ${currency} has`)
  if (interval === 'free' && price_minor > 0)
    throw invalidField('price', 'free', 'must be 0 if the interval is free')
  return { price_minor, currency, interval, interval_count }
}

const samePrice = (a: Price, b: Price) =>
  a.price_minor === b.price_minor &&
  a.currency === b.currency &&
  a.interval === b.interval &&
  a.interval_count === b.interval_count

/** A name as a slug: `Café Crème` becomes `cafe-creme`; one without Latin letters or digits gets a random one. */
function slugOf(name: string): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .match(/[a-z0-9]+/g)
  return words?.join('-').slice(0, 80).replace(/-$/, '') ?? `plan-${newUuid().slice(-12)}`
}
