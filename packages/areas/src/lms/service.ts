import type { Context } from '#platform/db/tenant.ts'
import * as settings from './certificates/settings.ts'
import { applyAccess, standingIn } from './enrollments/apply-access.ts'
import {
  findCourseToEnroll,
  listRemovals,
  lockEnrollment,
  lockEnrollmentsOf,
  lockGrantsOf,
  readStandings,
} from './enrollments/queries.ts'
import { notACourse } from './errors.ts'

/** How a side of a project works with this area, for its operators. */
export const { assertCertificateSettings, findCertificateSettings, updateCertificateSettings } = settings

// What other areas do with enrollments. All ids are stored ones.

/** Whether there is such a course, whatever its state. */
export const hasCourse = async (ctx: Context, id: string): Promise<boolean> =>
  (await findCourseToEnroll(ctx, { id })) !== undefined

/** The courses of these that no order opens for a member, because a key has removed the member from them. */
export const closedCourses = (ctx: Context, member: string, courses: readonly string[]) =>
  listRemovals(ctx, { member, courses })

/**
 * Enrolls a member because an order line gives the course: whatever the course costs or requires, beyond its capacity,
 * and also where it is archived meanwhile. A member whom a key removed stays removed. May be repeated.
 * @throws ApiError 422 for a course that does not exist
 */
export async function enrollByGrant(ctx: Context, pair: { member: string; course: string }): Promise<void> {
  if ((await findCourseToEnroll(ctx, { id: pair.course })) === undefined) throw notACourse('course_id')
  lockGrantsOf(ctx, pair)
  await lockEnrollment(ctx, pair)
  const row = await standingIn(ctx, pair)
  if (row.closed_by === 'key') return
  await applyAccess(ctx, { ...row, source: row.id === null ? 'grant' : row.source, closed_by: null })
}

/**
 * Judges all enrollments of members anew, because what the members are given has changed. Hold the members first.
 * An enrollment that has lost what it rests on closes, or goes on by something else; one that had closed for that reason
 * opens again with its progress.
 */
export async function judgeEnrollments(ctx: Context, members: readonly string[]): Promise<void> {
  const locked = await lockEnrollmentsOf(ctx, { members })
  if (locked.length === 0) return
  const of = (column: 'course_id' | 'member_id') => [...new Set(locked.map((row) => row[column]))]
  const rows = await readStandings(ctx, { members: of('member_id'), courses: of('course_id') })
  for (const row of rows) if (row.id !== null) await applyAccess(ctx, row)
}

/**
 * Closes what rests on an order line that is refunded after its own end, because a key has set a later one. An order line
 * that gives something still is taken back by `judgeEnrollments`.
 */
export async function forgetOrderLine(
  ctx: Context,
  { line, ...pair }: { member: string; course: string; line: string },
): Promise<void> {
  lockGrantsOf(ctx, pair)
  if ((await lockEnrollment(ctx, pair)) === undefined) return
  const { access, ...row } = await standingIn(ctx, pair)
  const list = access.list.filter(({ id }) => id !== line)
  if (list.length < access.list.length) await applyAccess(ctx, { ...row, access: { ...access, list } })
}
