import type { Context } from '#platform/db/tenant.ts'
import { emit } from '#platform/events/emit.ts'
import { parseId } from '#platform/ids.ts'
import { assertOwns, assertThere, type Viewer } from '../access/access.ts'
import { findComment } from '../comments/queries.ts'
import { discussionAnswered } from '../events.ts'
import { commentId } from '../ids.ts'
import { noComment } from '../written.ts'
import { getThread, lockThread, setThreadAnswer } from './queries.ts'
import { type ThreadRow, toDiscussion } from './rows.ts'
import { ownerOf } from './service.ts'

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
  const before = await lockThread(ctx, id, ownerOf(viewer))
  assertThere(viewer, before)
  assertOwns(viewer, before)
  const comment = commentId === null ? null : await visibleComment(ctx, id, commentId)
  await setThreadAnswer(ctx, id, comment)
  const row = await getThread(ctx, id, ownerOf(viewer))
  if (comment !== null && comment !== before.answer_id && row.status === 'visible')
    emit(ctx, discussionAnswered, toDiscussion(row))
  return row
}

async function visibleComment(ctx: Context, discussion: string, id: string): Promise<string> {
  const stored = parseId(commentId, id)
  const comment = stored === undefined ? undefined : await findComment(ctx, stored)
  if (comment?.discussion_id !== discussion || comment.status !== 'visible') throw noComment('comment_id')
  return comment.id
}
