import { addGrant, addPass, removeGrants, shortenPass } from '#areas/entitlements/service.ts'
import { enrollByGrant, forgetOrderLine, hasCourse } from '#areas/lms/service.ts'
import type { Context } from '#platform/db/tenant.ts'
import { noteLine } from './changes.ts'
import type { LineRow } from './queries.ts'

const gives = (line: LineRow): boolean =>
  line.grant_plan_id !== null || line.grant_features.length > 0 || line.grant_course_id !== null

/** Gives the buyer what the lines of a paid order grant, and enrolls it in their courses, each once. */
export async function grantLines(ctx: Context, memberId: string, lines: readonly LineRow[]): Promise<void> {
  const giving = lines.filter((line) => gives(line) && line.granted_at === null)
  if (giving.length === 0) return
  for (const line of giving) {
    const source = { type: 'order_line', id: line.id } as const
    const courseId = line.grant_course_id ?? undefined
    const planId = line.grant_plan_id ?? undefined
    const grant = { memberId, source, planId, features: line.grant_features, courseId }
    const { grant_days: days, quantity } = line
    // Each unit was paid for its days.
    if (days === null) await addGrant(ctx, grant)
    else await addPass(ctx, { ...grant, days: days * quantity })
    // A course that was deleted meanwhile keeps no payment from being noted.
    if (courseId !== undefined && (await hasCourse(ctx, courseId)))
      await enrollByGrant(ctx, { member: memberId, course: courseId })
    noteLine(ctx, line.id, { granted: true })
  }
}

/** Takes back what lines of a buyer gave that were refunded, each once. */
export async function takeBack(ctx: Context, memberId: string, lines: readonly LineRow[]): Promise<void> {
  for (const line of lines) {
    if (line.granted_at === null || line.taken_back_at !== null) continue
    await removeGrants(ctx, { type: 'order_line', id: line.id })
    if (line.grant_course_id !== null)
      await forgetOrderLine(ctx, { member: memberId, course: line.grant_course_id, line: line.id })
    noteLine(ctx, line.id, { takenBack: true })
  }
}

/** Takes back the days of units that were refunded, of lines that keep others. */
export async function shortenPasses(
  ctx: Context,
  refunded: readonly { readonly line: LineRow; readonly quantity: number }[],
): Promise<void> {
  for (const { line, quantity } of refunded) {
    if (line.granted_at === null || line.taken_back_at !== null || line.grant_days === null) continue
    await shortenPass(ctx, { type: 'order_line', id: line.id }, line.grant_days * quantity)
  }
}
