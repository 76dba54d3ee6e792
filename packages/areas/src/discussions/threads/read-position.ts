import type { Context } from '#platform/db/tenant.ts'
import type { Viewer } from '#platform/http/viewer.ts'
import { parseId } from '#platform/ids.ts'
import { maySee } from '../access/access.ts'
import { findComment } from '../comments/queries.ts'
import { commentId } from '../ids.ts'
import { noComment } from '../written.ts'
import type { ThreadRow } from './rows.ts'

/**
 * When a comment was written, to the microsecond. A reader of it has read everything up to that moment.
 * @param id public
 * @throws ApiError 422 for a comment that is not in this discussion, or that the viewer cannot see
 */
export async function writtenAt(
  ctx: Context,
  thread: ThreadRow,
  id: string,
  viewer: Viewer,
): Promise<string> {
  const stored = parseId(commentId, id)
  const comment = stored === undefined ? undefined : await findComment(ctx, { id: stored })
  // The place of a removed comment is seen, too.
  const isSeen = comment?.status === 'removed' || (comment && maySee(viewer, thread, comment))
  if (comment?.discussion_id !== thread.id || !isSeen) throw noComment('up_to')
  return comment.written_at
}
