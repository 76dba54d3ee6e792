import { closeCases, holdNew } from '#areas/discussions/service.ts'
import { judgeWritten, linksIn } from '#areas/moderation/service.ts'
import { attachFiles, openFiles, releaseFiles } from '#areas/storage/service.ts'
import { audit } from '#platform/audit.ts'
import type { Context } from '#platform/db/tenant.ts'
import { notFound } from '#platform/errors.ts'
import { emit } from '#platform/events/emit.ts'
import type { ActingMember } from '#platform/http/acting-member.ts'
import type { Viewer } from '#platform/http/viewer.ts'
import { newUuid } from '#platform/ids.ts'
import { assertMayDelete, assertTeam, maySee, maySeeComment } from '../access.ts'
import { feedbackCommented, feedbackCommentRemoved } from '../events.ts'
import { aboutFeedback, idOfPost, namesOf } from '../moderated.ts'
import { readItem } from '../queries.ts'
import { isJudged, SHOWN } from '../service.ts'
import {
  FEEDBACK_COMMENT,
  insertComment,
  lockComment,
  type NewComment,
  removeComment,
  toComment,
} from './queries.ts'
import type { FeedbackComment } from './schema.ts'

/** Who writes, and the text without markup. */
interface Writing {
  readonly author: ActingMember | undefined
  readonly text: string
}

/**
 * Only the team writes official comments and private notes. What rules hold waits for a moderator.
 * @throws ApiError 403; 422 for an unknown author, and POST_REFUSED
 */
export async function createComment(
  ctx: Context,
  viewer: Viewer,
  input: NewComment,
  { author, text }: Writing,
): Promise<FeedbackComment> {
  if (input.is_official || input.visibility === 'private') assertTeam(viewer)
  const id = newUuid()
  const files = await openFiles(ctx, input.attachments, { viewer, author: input.author_id })
  const isTeams = input.is_official || input.visibility === 'private' || !isJudged(ctx, author)
  const judged = { text, links: linksIn(input.content_html), author: input.author_id }
  const { heldBy, isAsked, keep } = isTeams ? SHOWN : await judgeWritten(ctx, judged)
  const isHeld = isAsked || heldBy.length > 0
  const row = await insertComment(ctx, {
    ...{ ...input, id, attachments: files.ids },
    visibility: isHeld ? 'private' : input.visibility,
    shown_as: isHeld ? input.visibility : null,
  })
  attachFiles(ctx, files, { kind: FEEDBACK_COMMENT, id })
  keep(id)
  const created = toComment(row)
  if (isHeld) {
    const { feedback_id } = input
    await holdNew(ctx, aboutFeedback(feedback_id, id), namesOf(feedback_id, row), { heldBy, isAsked })
  } else emit(ctx, feedbackCommented, created)
  return created
}

/** Deletes a comment for good. @throws ApiError 404, also for one that is not for this viewer; 403 */
export async function deleteComment(ctx: Context, id: string, viewer: Viewer): Promise<void> {
  const row = await lockComment(ctx, { id })
  if (!maySeeComment(viewer, row) || !maySee(viewer, await readItem(ctx, { id: row.feedback_id })))
    throw notFound('Comment')
  assertMayDelete(viewer, row)
  await closeCases(ctx, aboutFeedback(row.feedback_id, id), idOfPost)
  removeComment(ctx, { id })
  await releaseFiles(ctx, { kind: FEEDBACK_COMMENT, id })
  const { id: target, feedback_id, author_id } = toComment(row)
  emit(ctx, feedbackCommentRemoved, { id: target, feedback_id, author_id })
  audit(ctx, { action: 'feedback_comment.delete', target, before: { feedback_id } })
}
