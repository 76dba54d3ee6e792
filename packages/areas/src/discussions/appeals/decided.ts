import { publicIdOf } from '#platform/actor.ts'
import type { Context } from '#platform/db/tenant.ts'
import { emit } from '#platform/events/emit.ts'
import { toId } from '#platform/ids.ts'
import { appealDecided } from '../events.ts'
import { appealId, caseId } from '../ids.ts'
import { decideAppeals } from './queries.ts'

interface Closed {
  readonly id: string
  /** The public id of the post. */
  readonly target: string
}

/**
 * Decides the appeals that wait about these cases, as the cases were decided.
 * @returns the public ids of the appeals
 */
export async function closeAppeals(
  ctx: Context,
  cases: readonly Closed[],
  { decision, reason }: { decision: 'approved' | 'removed'; reason: string | null },
): Promise<readonly string[]> {
  if (cases.length === 0) return []
  const decided = decision === 'approved' ? 'overturned' : 'upheld'
  const decided_by = publicIdOf(ctx.actor)
  const rows = await decideAppeals(ctx, {
    ...{ cases: cases.map(({ id }) => id), decision: decided, reason, decided_by },
  })
  const targets = new Map(cases.map(({ id, target }) => [id, target]))
  return rows.map((row) => {
    const id = toId(appealId, row.id)
    emit(ctx, appealDecided, {
      ...{ id, case_id: toId(caseId, row.case_id), target_id: targets.get(row.case_id) ?? '' },
      ...{ author_id: toId('member', row.member_id), decision: decided, reason, decided_by },
    })
    return id
  })
}
