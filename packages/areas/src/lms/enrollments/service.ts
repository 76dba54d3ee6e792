import type { Context } from '#platform/db/tenant.ts'
import { forbidden, notFound } from '#platform/errors.ts'
import { emit } from '#platform/events/emit.ts'
import { actingMember, type WhoActs } from '#platform/http/acting-member.ts'
import { newUuid, parseId } from '#platform/ids.ts'
import { projectNow } from '#platform/jobs/schedules/due-work.ts'
import { STAFF, type Viewer } from '../access.ts'
import { lockCourse } from '../courses/queries.ts'
import { notACourse, refused } from '../errors.ts'
import { enrollmentCreated } from '../events.ts'
import { courseId } from '../ids.ts'
import { settleEnrollment } from '../progress/completion.ts'
import {
  cancelEnrollment,
  countTakenPlaces,
  type EnrollValues,
  findCourseToEnroll,
  findMissingPrerequisite,
  insertEnrollment,
  reviveEnrollment,
  setEnrollmentExpiry,
} from './enroll-queries.ts'
import { featureOf, isGranted } from './grants.ts'
import { getEnrollment, lockEnrollment, lockEnrollmentById } from './queries.ts'
import type { Enrollment, EnrollmentChanges, NewEnrollment } from './schema.ts'

/**
 * Enrolls a member: oneself by token where the course costs nothing or was granted, anybody by key.
 * @throws ApiError 403 for a course that costs something; 422 for a course that there is not, COURSE_NOT_OPEN,
 * COURSE_FULL, ALREADY_ENROLLED, PREREQUISITES_MISSING
 */
export async function enroll(ctx: Context, who: WhoActs, input: NewEnrollment): Promise<Enrollment> {
  if (who.byToken && input.expires_at !== undefined)
    throw forbidden('Only a secret key can set when the access ends: leave out expires_at')
  const member = await actingMember(ctx, who)
  const id = parseId(courseId, input.course_id)
  const course = id === undefined ? undefined : await findCourseToEnroll(ctx, { id })
  // Drafts do not exist for members.
  if (course === undefined || (who.byToken && course.status === 'draft')) throw notACourse('course_id')
  if (course.status !== 'published') throw refused('COURSE_NOT_OPEN')
  const given = { memberId: member.id, courseId: course.id, feature: featureOf(course.slug) }
  if (who.byToken && course.price_minor > 0 && !(await isGranted(ctx, given)))
    throw forbidden('This course is not free: the member needs an order or a plan that grants it')
  const before = await lockEnrollment(ctx, { course: course.id, member: member.id })
  if (before !== undefined && (before.status_now === 'active' || before.status_now === 'completed'))
    throw refused('ALREADY_ENROLLED')
  if (await findMissingPrerequisite(ctx, { course: course.id, member: member.id }))
    throw refused('PREREQUISITES_MISSING')
  await takePlace(ctx, course)
  return keep(ctx, before?.id, {
    course: course.id,
    member: member.id,
    source: who.byToken ? 'self' : 'key',
    grantType: null,
    grantId: null,
    fixed: input.expires_at !== undefined,
    expiresAt: input.expires_at ?? null,
  })
}

/** Enrolls, or opens the enrollment that there was with the progress that it had, and announces it. */
export async function keep(
  ctx: Context,
  before: string | undefined,
  values: Omit<EnrollValues, 'id'>,
): Promise<Enrollment> {
  const id = before ?? newUuid()
  if (before === undefined) insertEnrollment(ctx, { ...values, id })
  else reviveEnrollment(ctx, { ...values, id })
  const enrollment = await getEnrollment(ctx, { id, ...STAFF })
  emit(ctx, enrollmentCreated, enrollment)
  if (before === undefined) return enrollment
  // Lessons may have been added or deleted since.
  await settleEnrollment(ctx, id)
  return getEnrollment(ctx, { id, ...STAFF })
}

/** Holds the course while its places are counted, so that two do not take the last one. @throws ApiError 422 COURSE_FULL */
async function takePlace(
  ctx: Context,
  { id, capacity }: { id: string; capacity: number | null },
): Promise<void> {
  if (capacity === null) return
  const held = await lockCourse(ctx, { id })
  if (held.capacity !== null && (await countTakenPlaces(ctx, { course: id })) >= held.capacity)
    throw refused('COURSE_FULL')
}

/** @throws ApiError 404; 422 COURSE_FULL where opening it again takes a place that there is not */
export async function updateEnrollment(
  ctx: Context,
  id: string,
  changes: EnrollmentChanges,
): Promise<Enrollment> {
  const before = await lockEnrollmentById(ctx, { id, ...STAFF })
  if (changes.expires_at !== undefined) {
    if (
      changes.status === undefined &&
      before.status_now === 'expired' &&
      (await isAhead(ctx, changes.expires_at))
    )
      await takePlaceIn(ctx, before.course_id)
    setEnrollmentExpiry(ctx, { id, expiresAt: changes.expires_at })
    if (changes.status === undefined) await settleEnrollment(ctx, id)
  }
  if (changes.status === 'canceled') cancelEnrollment(ctx, { id })
  if (changes.status === 'active' && !['active', 'completed'].includes(before.status_now)) {
    const { source, expires_at } = await getEnrollment(ctx, { id, ...STAFF })
    const course = await takePlaceIn(ctx, before.course_id)
    const values = { course, member: before.member_id, source, grantType: null, grantId: null }
    // An end that was given stays; one that is over begins anew.
    const fixed = changes.expires_at !== undefined
    return keep(ctx, id, { ...values, fixed, expiresAt: fixed ? expires_at : null })
  }
  return getEnrollment(ctx, { id, ...STAFF })
}

/** Whether an end of access is still to come; null is no end. */
const isAhead = async (ctx: Context, end: string | null): Promise<boolean> =>
  end === null || Date.parse(end) > Date.parse(await projectNow(ctx))

/** @throws ApiError 404; 422 COURSE_FULL */
async function takePlaceIn(ctx: Context, id: string): Promise<string> {
  const course = await findCourseToEnroll(ctx, { id })
  if (course === undefined) throw notFound('Course')
  await takePlace(ctx, course)
  return course.id
}

/** Cancels an enrollment. Its progress stays, for when the member is enrolled again. @throws ApiError 404 */
export async function deleteEnrollment(ctx: Context, viewer: Viewer, id: string): Promise<void> {
  const { status } = await lockEnrollmentById(ctx, { id, ...viewer })
  if (status === 'canceled') throw notFound('Enrollment')
  cancelEnrollment(ctx, { id })
}
