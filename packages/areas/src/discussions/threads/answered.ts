import type { Context } from '#platform/db/tenant.ts'
import { emit } from '#platform/events/emit.ts'
import { discussionAnswered, discussionUnanswered } from '../events.ts'
import { getThread } from './queries.ts'
import { type ThreadRow, toDiscussion } from './rows.ts'

/**
 * Announces it if a discussion has another answer than before, or none any more: because somebody marked it, or because the
 * comment was hidden, shown again or removed.
 * @param before the discussion before the change
 */
export async function announceAnswer(ctx: Context, before: ThreadRow): Promise<void> {
  const row = await getThread(ctx, { id: before.id })
  if (row.answer_id === before.answer_id || row.status !== 'visible') return
  emit(ctx, row.answer_id === null ? discussionUnanswered : discussionAnswered, toDiscussion(row))
}
