import { toId } from '#platform/ids.ts'
import type { CommentRow } from '../comments/rows.ts'
import type { ModeratedPost } from '../events.ts'
import { commentId, discussionId } from '../ids.ts'
import type { ThreadRow } from '../threads/rows.ts'

/** A discussion, or a comment in it, as events of moderation name it: by ids alone. */
export const toPost = (
  thread: Pick<ThreadRow, 'id' | 'author_id'>,
  comment?: Pick<CommentRow, 'id' | 'author_id'>,
): ModeratedPost => ({
  id: comment ? toId(commentId, comment.id) : toId(discussionId, thread.id),
  discussion_id: toId(discussionId, thread.id),
  author_id: toId('member', (comment ?? thread).author_id),
})
