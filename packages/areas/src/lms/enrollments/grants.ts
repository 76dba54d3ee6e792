import { courseId } from '#areas/entitlements/ids.ts'
import { entitlementsOf } from '#areas/entitlements/service.ts'
import type { Context } from '#platform/db/tenant.ts'
import { toId } from '#platform/ids.ts'

/** The feature of a plan, or of a grant, that opens a course. */
export const featureOf = (slug: string): string => `course:${slug}`

/** Whether an order or a plan opens a course to a member. */
export async function isGranted(
  ctx: Context,
  member: string,
  course: { id: string; slug: string },
): Promise<boolean> {
  const { features, grants } = await entitlementsOf(ctx, member)
  return (
    features.includes(featureOf(course.slug)) ||
    grants.some(({ course_id }) => course_id === toId(courseId, course.id))
  )
}
