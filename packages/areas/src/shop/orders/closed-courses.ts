import { closedCourses } from '#areas/lms/service.ts'
import type { Context } from '#platform/db/tenant.ts'
import { removedFromCourse } from '../errors.ts'

/**
 * Refuses to sell a course to a member whom a key has removed from it: the order would not open it.
 * @param lines what is bought
 * @param member the stored id of the buyer
 * @throws ApiError 422 REMOVED_FROM_COURSE, with the lines
 */
export async function assertMayBuyCourses(
  ctx: Context,
  member: string,
  lines: readonly { readonly grant_course_id: string | null }[],
): Promise<void> {
  const courses = lines.flatMap(({ grant_course_id }) => grant_course_id ?? [])
  if (courses.length === 0) return
  const closed = new Set(await closedCourses(ctx, member, courses))
  const details = lines.flatMap(({ grant_course_id }, i) =>
    grant_course_id !== null && closed.has(grant_course_id)
      ? [
          {
            field: `lines[${i}]`,
            rule: 'removed',
            message: 'gives a course from which the member was removed',
          },
        ]
      : [],
  )
  if (details.length > 0) throw removedFromCourse(undefined, { details })
}
