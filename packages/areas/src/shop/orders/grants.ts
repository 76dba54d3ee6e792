import { addGrant, addPass, type MovedPass, removeGrants, shortenPass } from '#areas/entitlements/service.ts'
import { endByGrant, enrollByGrant, hasCourse, moveEndByGrant } from '#areas/lms/service.ts'
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
    const expiresAt = await give(ctx, grant, line)
    // A course that was deleted meanwhile keeps no payment from being noted.
    if (courseId !== undefined && (await hasCourse(ctx, courseId)))
      await enrollByGrant(ctx, { memberId, courseId, source, expiresAt })
    noteLine(ctx, line.id, { granted: true })
  }
}

/** @returns when it ends; undefined where it does not. Each unit was paid for its days. */
async function give(
  ctx: Context,
  grant: Parameters<typeof addGrant>[1],
  { grant_days: days, quantity }: LineRow,
): Promise<string | undefined> {
  if (days !== null) return addPass(ctx, { ...grant, days: days * quantity })
  await addGrant(ctx, grant)
}

/** Takes back what lines that were refunded gave, each once. */
export async function takeBack(ctx: Context, lines: readonly LineRow[]): Promise<void> {
  for (const line of lines) {
    if (line.granted_at === null || line.taken_back_at !== null) continue
    const source = { type: 'order_line', id: line.id } as const
    const moved = await removeGrants(ctx, source)
    await endByGrant(ctx, source)
    await moveCourses(ctx, moved)
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
    const source = { type: 'order_line', id: line.id } as const
    await moveCourses(ctx, await shortenPass(ctx, source, line.grant_days * quantity))
  }
}

async function moveCourses(ctx: Context, moved: readonly MovedPass[]): Promise<void> {
  for (const { source, courseId, expiresAt } of moved)
    if (courseId !== null) await moveEndByGrant(ctx, source, expiresAt)
}
