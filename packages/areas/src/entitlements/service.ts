import { judgeEnrollments } from '#areas/lms/service.ts'
import { deriveQuery, mapAnswer } from '#platform/db/query.ts'
import type { Context } from '#platform/db/tenant.ts'
import { notFound } from '#platform/errors.ts'
import { emitEach } from '#platform/events/emit.ts'
import { newUuid } from '#platform/ids.ts'
import { projectNow } from '#platform/jobs/schedules/due-work.ts'
import { memberEntitlementsChanged } from './events.ts'
import { DAY_MS, spanBehind, withoutGaps } from './passes/span.ts'
import {
  findGrant,
  type Given,
  getActivePlan,
  grantPlansOfNew,
  listEntitlements,
  listHolders,
  listPasses,
  lockMembers,
  moveGrant,
  putGrant,
  removeGrantsOf,
  updatePlans,
} from './queries.ts'
import { toEntitlements } from './rows.ts'
import type { Entitlements, SourceType } from './schema.ts'

/** What gives something. All ids of this service are stored ones. */
export interface GrantSource {
  readonly type: SourceType
  /** The subscription's, the order line's; of an operator the member's. */
  readonly id: string
}

export interface NewGrant {
  readonly memberId: string
  readonly source: GrantSource
  readonly planId?: string | undefined
  /** The price that the member came in on; the plan's present one where omitted. */
  readonly planVersion?: number | undefined
  readonly features?: readonly string[] | undefined
  readonly courseId?: string | undefined
  /** By the project's clock; now where omitted. */
  readonly startsAt?: string | undefined
  readonly expiresAt?: string | undefined
}

/** What is given for some days, to be used up before another one of the same kind begins. */
export type NewPass = Omit<NewGrant, 'startsAt' | 'expiresAt' | 'planVersion'> & { readonly days: number }

/**
 * Gives a member something, in place of what the same source gave before; giving the same again changes nothing but is
 * announced. The member's plan follows in this transaction.
 * @throws ApiError 404 for a member that does not exist; 422 for a plan that does not exist
 */
export async function addGrant(ctx: Context, grant: NewGrant): Promise<void> {
  const { memberId, source } = grant
  const [member] = await lockMembers(ctx, { ids: [memberId] })
  if (member === undefined) throw notFound('Member')
  putGrant(ctx, {
    id: newUuid(),
    member_id: memberId,
    source_type: source.type,
    source_id: source.id,
    plan_id: grant.planId ?? null,
    plan_version: grant.planVersion ?? null,
    features: grant.features ?? [],
    course_id: grant.courseId ?? null,
    starts_at: grant.startsAt ?? null,
    expires_at: grant.expiresAt ?? null,
  })
  await updatePlansAndAnnounce(ctx, [memberId])
}

/**
 * Gives a member something for some days. It begins where the last pass of the same kind ends: what was bought twice lasts
 * twice as long.
 * @throws ApiError as addGrant does
 */
export async function addPass(ctx: Context, { days, ...pass }: NewPass): Promise<void> {
  const [member] = await lockMembers(ctx, { ids: [pass.memberId] })
  if (member === undefined) throw notFound('Member')
  const now = Date.parse(await projectNow(ctx))
  const others = (await listPasses(ctx, toGiven(pass))).filter(({ sourceId }) => sourceId !== pass.source.id)
  const { start, end } = spanBehind(others, { now, days })
  await addGrant(ctx, { ...pass, startsAt: start > now ? iso(start) : undefined, expiresAt: iso(end) })
}

/**
 * Takes back what a source gave. Passes of the same kind that were to follow begin that much earlier. Where it gave
 * nothing, or no more, nothing happens.
 */
export async function removeGrants(ctx: Context, source: GrantSource): Promise<void> {
  const locked = await listHolders(ctx, toRow(source))
  if (locked.length === 0) return
  const ids = locked.map(({ member_id }) => member_id)
  await lockMembers(ctx, { ids })
  const taken = await removeGrantsOf(ctx, toRow(source))
  if (taken.length === 0) return
  if (source.type === 'order_line') await closeGaps(ctx, taken)
  await updatePlansAndAnnounce(ctx, ids)
}

/** Takes days of a pass back, down to those that were used already. What follows it begins that much earlier. */
export async function shortenPass(ctx: Context, source: GrantSource, days: number): Promise<void> {
  const locked = await findGrant(ctx, toRow(source))
  if (locked === undefined) return
  await lockMembers(ctx, { ids: [locked.member_id] })
  const pass = await findGrant(ctx, toRow(source))
  if (pass === undefined || pass.expires_at === null) return
  const now = Date.parse(await projectNow(ctx))
  const expiresAt = iso(
    Math.max(Date.parse(pass.expires_at) - days * DAY_MS, Date.parse(pass.starts_at), now),
  )
  moveGrant(ctx, { id: pass.id, starts_at: pass.starts_at, expires_at: expiresAt })
  await closeGaps(ctx, [pass])
  await updatePlansAndAnnounce(ctx, [pass.member_id])
}

/** Has passes follow on one another again, of the kinds of what was taken back. */
async function closeGaps(ctx: Context, taken: readonly Given[]): Promise<void> {
  const now = Date.parse(await projectNow(ctx))
  for (const given of taken)
    for (const { id, start, end } of withoutGaps(await listPasses(ctx, given), now))
      moveGrant(ctx, { id, starts_at: iso(start), expires_at: iso(end) })
}

const toRow = ({ type, id }: GrantSource) => ({ source_type: type, source_id: id })

const toGiven = ({ memberId, planId, features, courseId }: Omit<NewPass, 'days' | 'source'>): Given => ({
  member_id: memberId,
  plan_id: planId ?? null,
  features: features ?? [],
  course_id: courseId ?? null,
})

const iso = (time: number): string => new Date(time).toISOString()

/** What a member has. @throws ApiError 404, for a deleted one too */
export const entitlementsOf = deriveQuery(({ memberId }: { memberId: string }) =>
  mapAnswer(listEntitlements({ ids: [memberId] }), ([row]): Entitlements => {
    if (row === undefined || row.deleted_at !== null) throw notFound('Member')
    return toEntitlements(row)
  }),
)

/**
 * Puts a member on a plan as an operator decided, or with null takes that word back. A plan that the member is on
 * already changes nothing.
 * @returns whether anything changed
 * @throws ApiError 404; 422 for a plan that is archived or that does not exist
 */
export async function setOperatorPlan(
  ctx: Context,
  memberId: string,
  planId: string | null,
): Promise<boolean> {
  const [member] = await lockMembers(ctx, { ids: [memberId] })
  if (member === undefined || member.deleted_at !== null) throw notFound('Member')
  if (planId === member.plan_id) return false
  const source = { type: 'operator', id: memberId } as const
  if (planId === null) {
    const taken = await removeGrantsOf(ctx, toRow(source))
    if (taken.length > 0) await updatePlansAndAnnounce(ctx, [memberId])
    return taken.length > 0
  }
  const { version } = await getActivePlan(ctx, { id: planId })
  await addGrant(ctx, { memberId, source, planId, planVersion: version })
  return true
}

/**
 * Locks a member until the transaction ends, as every change of its grants does.
 * @returns false for one that does not exist, or no longer
 */
export const lockLiveMember = deriveQuery(({ id }: { id: string }) =>
  mapAnswer(lockMembers({ ids: [id] }), ([member]) => member !== undefined && member.deleted_at === null),
)

/** Adds operator grants for new members with a plan. Members on the default plan have no grant. */
export const grantToNewMembers = (ctx: Context, memberIds: readonly string[]): void => {
  grantPlansOfNew(ctx, { ids: memberIds })
}

/**
 * Makes the plans of members, who are locked, and their enrollments follow what they were given, and tells what they have
 * now.
 */
export async function updatePlansAndAnnounce(ctx: Context, memberIds: readonly string[]): Promise<void> {
  updatePlans(ctx, { ids: memberIds })
  await judgeEnrollments(ctx, memberIds)
  const rows = await listEntitlements(ctx, { ids: memberIds })
  emitEach(
    ctx,
    memberEntitlementsChanged,
    rows.map(toEntitlements).map((row) => ({ id: row.member_id, ...row })),
  )
}
