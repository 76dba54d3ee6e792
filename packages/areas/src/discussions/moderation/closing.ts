import { publicIdOf } from '#platform/actor.ts'
import type { ModeratedTarget } from '#platform/catalogue/moderated.ts'
import type { Context } from '#platform/db/tenant.ts'
import { emit } from '#platform/events/emit.ts'
import { toId } from '#platform/ids.ts'
import { closeAppeals } from '../appeals/decided.ts'
import type { CommentRow } from '../comments/rows.ts'
import { reportResolved } from '../events.ts'
import { caseId, commentId, discussionId } from '../ids.ts'
import type { ThreadRow } from '../threads/rows.ts'
import { decideRemoved } from './queries.ts'

/** About no post. */
export const NOTHING: ModeratedTarget = {
  discussion_id: null,
  comment_id: null,
  feedback_id: null,
  feedback_comment_id: null,
}
/** What a case about a discussion names. */
export const aboutDiscussion = ({ id }: { id: string }): ModeratedTarget => ({
  ...NOTHING,
  discussion_id: id,
})
/** What a case about a comment names. */
export const aboutComment = ({
  id,
  discussion_id,
}: Pick<CommentRow, 'id' | 'discussion_id'>): ModeratedTarget => ({
  ...NOTHING,
  discussion_id,
  comment_id: id,
})
/** A discussion, or a comment in it, as events of moderation name it: by ids alone. */
export const toPost = (
  thread: Pick<ThreadRow, 'id' | 'author_id'>,
  comment?: Pick<CommentRow, 'id' | 'author_id'>,
): { readonly id: string; readonly discussion_id: string; readonly author_id: string } => ({
  id: comment ? toId(commentId, comment.id) : toId(discussionId, thread.id),
  discussion_id: toId(discussionId, thread.id),
  author_id: toId('member', (comment ?? thread).author_id),
})

/** The public id of the discussion or the comment that a case is about. */
export const idOfPost = ({ discussion_id, comment_id }: ModeratedTarget): string =>
  comment_id === null ? toId(discussionId, discussion_id ?? '') : toId(commentId, comment_id)

/** A removed post waits for no moderator any more. After a discussion or an item is removed, none of its comments does either. */
export async function closeCases(
  ctx: Context,
  target: ModeratedTarget,
  idOf: (target: ModeratedTarget) => string = idOfPost,
): Promise<void> {
  const rows = await decideRemoved(ctx, { ...target, decided_by: publicIdOf(ctx.actor) })
  for (const row of rows)
    emit(ctx, reportResolved, {
      id: toId(caseId, row.id),
      target_id: idOf(row),
      decision: 'removed',
      reason: null,
    })
  await closeAppeals(
    ctx,
    rows.map((row) => ({ id: row.id, target: idOf(row) })),
    { decision: 'removed', reason: null },
  )
}
