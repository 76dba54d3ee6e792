import { attachFiles, openFiles, releaseFiles } from '#areas/storage/service.ts'
import { audit } from '#platform/audit.ts'
import type { Context } from '#platform/db/tenant.ts'
import { notFound } from '#platform/errors.ts'
import { emit } from '#platform/events/emit.ts'
import { isStaff, type Viewer } from '#platform/http/viewer.ts'
import { newUuid } from '#platform/ids.ts'
import { assertMayDelete, assertTeam, maySee } from '../access.ts'
import { feedbackCommented, feedbackCommentRemoved } from '../events.ts'
import { readItem } from '../queries.ts'
import {
  FEEDBACK_COMMENT,
  insertComment,
  lockComment,
  type NewComment,
  removeComment,
  toComment,
} from './queries.ts'
import type { FeedbackComment } from './schema.ts'

/** Only the team writes official comments and private notes. @throws ApiError 403; 422 for an unknown author */
export async function createComment(
  ctx: Context,
  viewer: Viewer,
  input: NewComment,
): Promise<FeedbackComment> {
  if (input.is_official || input.visibility === 'private') assertTeam(viewer)
  const id = newUuid()
  const files = await openFiles(ctx, input.attachments, { viewer, author: input.author_id })
  const created = await insertComment(ctx, { ...input, id, attachments: files.ids })
  attachFiles(ctx, files, { kind: FEEDBACK_COMMENT, id })
  emit(ctx, feedbackCommented, created)
  return created
}

/** Deletes a comment for good. @throws ApiError 404, also for one that is not for this viewer; 403 */
export async function deleteComment(ctx: Context, id: string, viewer: Viewer): Promise<void> {
  const row = await lockComment(ctx, { id })
  const isThere = isStaff(viewer) || row.visibility === 'public'
  if (!isThere || !maySee(viewer, await readItem(ctx, { id: row.feedback_id }))) throw notFound('Comment')
  assertMayDelete(viewer, row)
  removeComment(ctx, { id })
  await releaseFiles(ctx, { kind: FEEDBACK_COMMENT, id })
  const { id: target, feedback_id, author_id } = toComment(row)
  emit(ctx, feedbackCommentRemoved, { id: target, feedback_id, author_id })
  audit(ctx, { action: 'feedback_comment.delete', target })
}
