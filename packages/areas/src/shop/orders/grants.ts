import { addGrant, removeGrants } from '#areas/entitlements/service.ts'
import { endByGrant, enrollByGrant, hasCourse } from '#areas/lms/service.ts'
import type { Context } from '#platform/db/tenant.ts'
import { projectNow } from '#platform/jobs/schedules/due-work.ts'
import { noteLine } from './changes.ts'
import type { LineRow } from './rows.ts'

const DAY_MS = 86_400_000

const gives = (line: LineRow): boolean =>
  line.grant_plan_id !== null || line.grant_features.length > 0 || line.grant_course_id !== null

/** Gives the buyer what the lines of a paid order grant, and enrolls it in their courses, each once. */
export async function grantLines(ctx: Context, memberId: string, lines: readonly LineRow[]): Promise<void> {
  const giving = lines.filter((line) => gives(line) && line.granted_at === null)
  if (giving.length === 0) return
  const now = Date.parse(await projectNow(ctx))
  for (const line of giving) {
    const source = { type: 'order_line', id: line.id } as const
    const courseId = line.grant_course_id ?? undefined
    const expiresAt =
      line.grant_days === null ? undefined : new Date(now + line.grant_days * DAY_MS).toISOString()
    await addGrant(ctx, {
      memberId,
      source,
      planId: line.grant_plan_id ?? undefined,
      features: line.grant_features,
      courseId,
      expiresAt,
    })
    // A course that was deleted meanwhile keeps no payment from being noted.
    if (courseId !== undefined && (await hasCourse(ctx, courseId)))
      await enrollByGrant(ctx, { memberId, courseId, source, expiresAt })
    await noteLine(ctx, line.id, { granted: true })
  }
}

/** Takes back what lines that were refunded gave, each once. */
export async function takeBack(ctx: Context, lines: readonly LineRow[]): Promise<void> {
  for (const line of lines) {
    if (line.granted_at === null || line.taken_back_at !== null) continue
    const source = { type: 'order_line', id: line.id } as const
    await removeGrants(ctx, source)
    await endByGrant(ctx, source)
    await noteLine(ctx, line.id, { takenBack: true })
  }
}
