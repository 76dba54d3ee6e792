import type { Context } from '#platform/db/tenant.ts'
import { emit } from '#platform/events/emit.ts'
import type { Viewer } from '#platform/http/viewer.ts'
import { parseId } from '#platform/ids.ts'
import { assertOwns } from '../access/access.ts'
import { findComment } from '../comments/queries.ts'
import { discussionAnswered, discussionUnanswered } from '../events.ts'
import { commentId } from '../ids.ts'
import { noComment } from '../written.ts'
import { getThread, setThreadAnswer } from './queries.ts'
import { type ThreadRow, toDiscussion } from './rows.ts'
import { lockFor } from './service.ts'

/**
 * Says which comment answers a discussion, or that none does. Its author may, and moderators.
 * @throws ApiError 403, 404; 422 for a comment that is not there
 */
export async function answerDiscussion(
  ctx: Context,
  id: string,
  viewer: Viewer,
  commentId: string | null,
): Promise<ThreadRow> {
  const before = await lockFor(ctx, id, viewer)
  assertOwns(viewer, before)
  const answer_id = commentId === null ? null : await visibleComment(ctx, id, commentId)
  setThreadAnswer(ctx, { id, answer_id })
  await announceAnswer(ctx, before)
  return getThread(ctx, { id, member: viewer.memberId })
}

async function visibleComment(ctx: Context, discussion: string, text: string): Promise<string> {
  const id = parseId(commentId, text)
  const comment = id === undefined ? undefined : await findComment(ctx, { id })
  if (comment?.discussion_id !== discussion || comment.status !== 'visible') throw noComment('comment_id')
  return comment.id
}

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
