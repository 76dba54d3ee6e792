import type { Context } from '#platform/db/tenant.ts'
import { cancelEnrollment, findCourseToEnroll } from './enrollments/enroll-queries.ts'
import { closeEnrollment, lockEnrollment, lockEnrollmentsOfGrant } from './enrollments/queries.ts'
import { keep } from './enrollments/service.ts'
import { notACourse } from './errors.ts'

/** What paid for an enrollment. All ids of this service are stored ones. */
export interface GrantedBy {
  readonly type: 'operator' | 'subscription' | 'order_line'
  readonly id: string
}

/**
 * Enrolls a member because something was paid: whatever the course costs or requires, beyond its capacity, and also
 * where it is archived meanwhile. A member who is enrolled stays so; may be repeated.
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
  const course = await findCourseToEnroll(ctx, grant.courseId)
  if (course === undefined) throw notACourse('course_id')
  const before = await lockEnrollment(ctx, course.id, grant.memberId)
  if (before?.is_open) return
  await keep(ctx, before?.id, {
    course: course.id,
    member: grant.memberId,
    source: 'grant',
    grantType: grant.source.type,
    grantId: grant.source.id,
    fixed: grant.expiresAt !== undefined,
    expiresAt: grant.expiresAt ?? null,
  })
}

/**
 * Ends what a grant opened, because it was refunded or taken back: an enrollment is canceled, and the access of one that
 * is completed ends. May be repeated.
 */
export async function endByGrant(ctx: Context, source: GrantedBy): Promise<void> {
  for (const { id, status } of await lockEnrollmentsOfGrant(ctx, source.type, source.id))
    await (status === 'completed' ? closeEnrollment(ctx, id) : cancelEnrollment(ctx, id))
}
