import { publicIdOf } from '#platform/actor.ts'
import type { Context } from '#platform/db/tenant.ts'
import { emit } from '#platform/events/emit.ts'
import { toId } from '#platform/ids.ts'
import { closeAppeals } from '../appeals/decided.ts'
import type { CommentRow } from '../comments/rows.ts'
import type { ModeratedPost } from '../events.ts'
import { reportResolved } from '../events.ts'
import { caseId, commentId, discussionId } from '../ids.ts'
import type { ThreadRow } from '../threads/rows.ts'
import { type CaseRow, decideRemoved, type Target } from './queries.ts'

/** A discussion, or a comment in it, as events of moderation name it: by ids alone. */
export const toPost = (
  thread: Pick<ThreadRow, 'id' | 'author_id'>,
  comment?: Pick<CommentRow, 'id' | 'author_id'>,
): ModeratedPost => ({
  id: comment ? toId(commentId, comment.id) : toId(discussionId, thread.id),
  discussion_id: toId(discussionId, thread.id),
  author_id: toId('member', (comment ?? thread).author_id),
})

/** The public id of what a case is about. */
export const targetOf = (row: Pick<CaseRow, 'discussion_id' | 'comment_id'>): string =>
  row.comment_id === null ? toId(discussionId, row.discussion_id) : toId(commentId, row.comment_id)

/** A removed post waits for no moderator any more. After a discussion is removed, none of its comments does either. */
export async function closeCases(ctx: Context, target: Target): Promise<void> {
  const rows = await decideRemoved(ctx, { ...target, decided_by: publicIdOf(ctx.actor) })
  for (const row of rows)
    emit(ctx, reportResolved, {
      id: toId(caseId, row.id),
      target_id: targetOf(row),
      decision: 'removed',
      reason: null,
    })
  await closeAppeals(
    ctx,
    rows.map((row) => ({ id: row.id, target: targetOf(row) })),
    { decision: 'removed', reason: null },
  )
}
