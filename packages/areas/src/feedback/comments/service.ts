import { audit } from '#platform/audit.ts'
import type { Context } from '#platform/db/tenant.ts'
import { notFound } from '#platform/errors.ts'
import { emit } from '#platform/events/emit.ts'
import { assertMayDelete, maySee, type Visitor } from '../access.ts'
import { feedbackCommentRemoved } from '../events.ts'
import { readItem } from '../queries.ts'
import { deleteCommentRow, lockComment, toComment } from './queries.ts'

/** Deletes a comment for good. @throws ApiError 404, also for one that is not for this visitor; 403 */
export async function deleteComment(ctx: Context, id: string, visitor: Visitor): Promise<void> {
  const row = await lockComment(ctx, id)
  const isThere = visitor.isTeam || row.visibility === 'public'
  if (!isThere || !maySee(visitor, await readItem(ctx, row.feedback_id))) throw notFound('Comment')
  assertMayDelete(visitor, row)
  await deleteCommentRow(ctx, id)
  const { id: target, feedback_id, author_id } = toComment(row)
  emit(ctx, feedbackCommentRemoved, { id: target, feedback_id, author_id })
  audit(ctx, { action: 'feedback_comment.delete', target })
}
