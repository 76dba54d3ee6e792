import { audit } from '#platform/audit.ts'
import type { Context } from '#platform/db/tenant.ts'
import { type ApiError, forbidden, invalidField, notFound } from '#platform/errors.ts'
import { actingMember, type WhoActs } from '#platform/http/acting-member.ts'
import { type Credential, KEY } from '#platform/http/viewer.ts'
import { parseId, toId } from '#platform/ids.ts'
import { lockCourse } from '../courses/queries.ts'
import {
  alreadyEnrolled,
  courseFull,
  courseNotOpen,
  enrollmentEnded,
  prerequisitesMissing,
} from '../errors.ts'
import { courseId, enrollmentId } from '../ids.ts'
import { type Access, judge, mayBeFree, withEnd, withFree, withKey, withKeyAgain } from './access-bases.ts'
import { applyAccess, isOpenIn, shown, standingIn } from './apply-access.ts'
import {
  cancelEnrollment,
  countTakenPlaces,
  findCourseToEnroll,
  findMissingPrerequisite,
  lockEnrollment,
  lockEnrollmentById,
  lockGrantsOf,
  type Standing,
} from './queries.ts'
import type { Enrollment, EnrollmentChanges, NewEnrollment } from './schema.ts'

/**
 * Enrolls a member: oneself by token where the course costs nothing or was granted, anybody by key.
 * @throws ApiError 403 for a course that costs something, and where a key has removed the member; 422 for a course that
 * there is not, COURSE_NOT_OPEN, COURSE_FULL, ALREADY_ENROLLED, ENROLLMENT_ENDED, PREREQUISITES_MISSING
 */
export async function enroll(ctx: Context, who: WhoActs, input: NewEnrollment): Promise<Enrollment> {
  if (who.byToken && input.expires_at !== undefined)
    throw forbidden('Only a secret key can set when the access ends: leave out expires_at')
  const member = await actingMember(ctx, who)
  const id = parseId(courseId, input.course_id)
  const course = id === undefined ? undefined : await findCourseToEnroll(ctx, { id })
  // Drafts do not exist for members: whether there is one is not shown.
  if (course === undefined || (who.byToken && course.status === 'draft'))
    throw invalidField('course_id', 'exists', 'is not a published course of this project')
  if (course.status !== 'published') throw courseNotOpen()
  const pair = { course: course.id, member: member.id }
  lockGrantsOf(ctx, pair)
  const before = await lockEnrollment(ctx, pair)
  const row = await standingIn(ctx, pair)
  const isFree = course.price_minor === 0
  if (before !== undefined && ['active', 'completed'].includes(before.status_now)) throw alreadyEnrolled()
  const access = who.byToken
    ? accessByToken(row, isFree)
    : withKey(judge(row.access, row).access, row, input.expires_at)
  if (await findMissingPrerequisite(ctx, pair)) throw prerequisitesMissing()
  await takePlace(ctx, course)
  const source = who.byToken ? 'self' : 'key'
  return shown(ctx, await applyAccess(ctx, { ...row, access, source, closed_by: null }))
}

/**
 * What a member who enrolls by token can rest on: what it had before, with its end, what it is given, or that the course is
 * free.
 * @throws ApiError 403, 422 ENROLLMENT_ENDED
 */
function accessByToken(row: Standing, isFree: boolean): Access {
  if (row.closed_by === 'key')
    throw forbidden('This member was removed from the course: only a secret key can enroll the member again')
  const { access, basis } = judge(row.access, row)
  if (basis !== undefined) return access
  if (isFree && mayBeFree(access)) return withFree(access, row)
  throw isFree || row.feature !== null || row.lines.length > 0 ? enrollmentEnded() : notFree()
}

const notFree = (): ApiError =>
  forbidden('This course is not free: the member needs an order or a plan that grants it')

/** Holds the course while its places are counted, so that two do not take the last one. @throws ApiError 422 COURSE_FULL */
async function takePlace(
  ctx: Context,
  { id, capacity }: { id: string; capacity: number | null },
): Promise<void> {
  if (capacity === null) return
  const locked = await lockCourse(ctx, { id })
  if (locked.capacity !== null && (await countTakenPlaces(ctx, { course: id })) >= locked.capacity)
    throw courseFull()
}

/**
 * Changes an enrollment as a key says. Hold its member first.
 * @throws ApiError 404; 422 COURSE_FULL where opening it again takes a place that does not exist
 */
export async function updateEnrollment(
  ctx: Context,
  id: string,
  { status, expires_at: until }: EnrollmentChanges,
): Promise<Enrollment> {
  const before = await lockEnrollmentById(ctx, { id, ...KEY })
  const row = await standingIn(ctx, { course: before.course_id, member: before.member_id })
  const { access } = judge(row.access, row)
  // A canceled enrollment has no basis. It shows the end that it will have when it is opened again.
  const shownEnd = before.status === 'canceled' && until !== undefined && { expires_at: until }
  if (status === 'active' && !before.is_open) {
    const opened = until === undefined ? withKeyAgain(access, row) : withKey(access, row, until)
    await applyInPlace(ctx, { ...row, access: opened, closed_by: null })
  } else if (status === 'canceled') {
    if (until !== undefined) await applyAccess(ctx, { ...row, ...shownEnd, access: withEnd(access, until) })
    cancelEnrollment(ctx, { id, closed_by: 'key' })
  } else if (until !== undefined) {
    const ended = withEnd(access, until)
    // A key can continue an ended enrollment, but not a canceled one.
    const goesOn = judge(ended, row).basis === undefined && before.status !== 'canceled'
    await applyInPlace(ctx, { ...row, ...shownEnd, access: goesOn ? withKey(ended, row, until) : ended })
  }
  return shown(ctx, id)
}

/** Opens or closes an enrollment, and takes a place where it has none. @throws ApiError 422 COURSE_FULL */
async function applyInPlace(ctx: Context, row: Standing): Promise<void> {
  const opens = row.closed_by === null && judge(row.access, row).basis !== undefined
  const course = await findCourseToEnroll(ctx, { id: row.course_id })
  if (opens && !isOpenIn(row) && row.completed_at === null && course !== undefined)
    await takePlace(ctx, course)
  await applyAccess(ctx, row)
}

/**
 * Cancels an enrollment. Its progress stays, for when the member is enrolled again. @throws ApiError 404
 */
export async function deleteEnrollment(ctx: Context, viewer: Credential, id: string): Promise<void> {
  const { status } = await lockEnrollmentById(ctx, { id, ...viewer })
  if (status === 'canceled') throw notFound('Enrollment')
  cancelEnrollment(ctx, { id, closed_by: viewer.isKey ? 'key' : 'member' })
  if (viewer.isKey)
    audit(ctx, { action: 'enrollment.delete', target: toId(enrollmentId, id), before: { status } })
}
