import { audit } from '#platform/audit.ts'
import type { Context } from '#platform/db/tenant.ts'
import { notFound } from '#platform/errors.ts'
import { emit } from '#platform/events/emit.ts'
import { actingMember, type WhoActs } from '#platform/http/acting-member.ts'
import { newUuid, parseId, toId } from '#platform/ids.ts'
import { projectNow } from '#platform/jobs/schedules/due-work.ts'
import { appealRefused } from '../errors.ts'
import { appealCreated } from '../events.ts'
import { appealId, caseId } from '../ids.ts'
import { NOTHING } from '../moderation/closing.ts'
import { type CaseRow, getCase } from '../moderation/queries.ts'
import type { Moderated } from '../moderation/service.ts'
import { caseToAppeal, insertAppeal } from './queries.ts'
import type { Appeal } from './schema.ts'

/** How long a decision can be appealed. */
export const APPEAL_DAYS = 30
const DAY_MS = 86_400_000

/**
 * Asks the moderators to look at a post again, once for each case.
 * @param id the public id of the case, or of the post
 * @throws ApiError 404, also for a post of another member; 422 APPEAL_REFUSED
 */
export async function appeal(
  ctx: Context,
  { id, text, who, moderated }: { id: string; text: string; who: WhoActs; moderated: Moderated },
): Promise<Appeal> {
  const target = await moderated.find(ctx, id)
  const known = await caseToAppeal(ctx, { ...(target ?? NOTHING), case_id: parseId(caseId, id) ?? null })
  const member = await actingMember(ctx, who)
  const post = await moderated.lock(ctx, await getCase(ctx, { id: known.id }))
  // Read again, now that nobody else decides it.
  const row = await getCase(ctx, { id: known.id })
  if (post.author_id !== member.id) throw notFound('Moderation case')
  await assertAppealable(ctx, row, post.status, toId('member', member.id))
  const added = await insertAppeal(ctx, { id: newUuid(), case_id: row.id, member_id: member.id, text })
  const ids = { id: toId(appealId, added.id), case_id: toId(caseId, row.id), target_id: post.names.id }
  const author_id = toId('member', member.id)
  audit(ctx, {
    ...{ action: 'moderation.appeal', target: ids.target_id, onBehalfOf: author_id },
    after: { appeal_id: ids.id, case_id: ids.case_id },
  })
  emit(ctx, appealCreated, { ...ids, author_id })
  return { ...ids, text, created_at: added.created_at }
}

/** @throws ApiError 422 APPEAL_REFUSED */
async function assertAppealable(
  ctx: Context,
  { decision, decided_by, decided_at }: CaseRow,
  status: string,
  author: string,
): Promise<void> {
  const refused = (reason: string, message: string) => appealRefused(undefined, { reason, message })
  if (status === 'visible') throw refused('visible', 'The post can be seen: there is nothing to appeal')
  if (decision === 'removed' && decided_by === author)
    throw refused('own', 'You have removed the post yourself: there is nothing to appeal')
  if (
    decided_at !== null &&
    Date.parse(decided_at) + APPEAL_DAYS * DAY_MS < Date.parse(await projectNow(ctx))
  )
    throw refused('late', `A decision can be appealed for ${APPEAL_DAYS} days`)
}
