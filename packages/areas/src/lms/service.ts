import type { Context } from '#platform/db/tenant.ts'
import {
  cancelEnrollment,
  extendEnrollment,
  findCourseToEnroll,
  findOtherGrant,
  setEnrollmentExpiry,
} from './enrollments/enroll-queries.ts'
import { closeEnrollment, lockEnrollment, lockEnrollmentsOfGrant } from './enrollments/queries.ts'
import { keep } from './enrollments/service.ts'
import { notACourse } from './errors.ts'
import { settleEnrollment } from './progress/completion.ts'

/** What paid for an enrollment. All ids of this service are stored ones. */
export interface GrantedBy {
  readonly type: 'operator' | 'subscription' | 'order_line'
  readonly id: string
}

/** Whether there is such a course, whatever its state. */
export const hasCourse = async (ctx: Context, id: string): Promise<boolean> =>
  (await findCourseToEnroll(ctx, { id })) !== undefined

/**
 * Enrolls a member because something was paid: whatever the course costs or requires, beyond its capacity, and also
 * where it is archived meanwhile. A member who is enrolled stays so, to the later of the two ends; may be repeated.
 * @param grant `expiresAt`: when the access ends, in place of what the course says
 * @throws ApiError 422 for a course that there is not
 */
export async function enrollByGrant(
  ctx: Context,
  grant: {
    readonly memberId: string
    readonly courseId: string
    readonly source: GrantedBy
    readonly expiresAt?: string | undefined
  },
): Promise<void> {
  const course = await findCourseToEnroll(ctx, { id: grant.courseId })
  if (course === undefined) throw notACourse('course_id')
  const before = await lockEnrollment(ctx, { course: course.id, member: grant.memberId })
  const values = {
    course: course.id,
    member: grant.memberId,
    source: 'grant',
    grantType: grant.source.type,
    grantId: grant.source.id,
    fixed: grant.expiresAt !== undefined,
    expiresAt: grant.expiresAt ?? null,
  }
  if (before?.is_open) extendEnrollment(ctx, { ...values, id: before.id })
  else await keep(ctx, before?.id, values)
}

/**
 * Ends what a grant opened, because it was refunded or taken back: an enrollment is canceled, and the access of one that
 * is completed ends. A course that another grant gives as well stays open by that one. May be repeated.
 */
export async function endByGrant(ctx: Context, source: GrantedBy): Promise<void> {
  const ended = await lockEnrollmentsOfGrant(ctx, source)
  for (const { id, status, course_id: courseId, member_id: memberId } of ended) {
    if (status === 'completed') closeEnrollment(ctx, { id })
    else cancelEnrollment(ctx, { id })
    const other = await findOtherGrant(ctx, { course: courseId, member: memberId, ...source })
    if (other !== undefined)
      await enrollByGrant(ctx, {
        memberId,
        courseId,
        source: { type: other.source_type as GrantedBy['type'], id: other.source_id },
        expiresAt: other.expires_at ?? undefined,
      })
  }
}

/** Has what a grant opened end at another time, because the grant does. */
export async function moveEndByGrant(ctx: Context, source: GrantedBy, expiresAt: string): Promise<void> {
  for (const { id } of await lockEnrollmentsOfGrant(ctx, source)) {
    setEnrollmentExpiry(ctx, { id, expiresAt })
    await settleEnrollment(ctx, id)
  }
}
