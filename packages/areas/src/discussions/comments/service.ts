import { attachFiles, changeFiles, openFiles, releaseFiles } from '#areas/storage/service.ts'
import { publicIdOf } from '#platform/actor.ts'
import { audit, auditOperator } from '#platform/audit.ts'
import type { Context } from '#platform/db/tenant.ts'
import { emit } from '#platform/events/emit.ts'
import type { ActingMember } from '#platform/http/acting-member.ts'
import type { Viewer } from '#platform/http/viewer.ts'
import { newUuid, parseId, toId } from '#platform/ids.ts'
import type { Rendered } from '#platform/markdown/render.ts'
import { forgetInSearch, keepFindable } from '#platform/search/documents.ts'
import { assertCommentThere, assertMayEdit, assertOwns, isAuthor, maySee } from '../access/access.ts'
import { commentCreated, commentRemoved, commentUpdated } from '../events.ts'
import { COMMENT, commentDocument } from '../found.ts'
import { commentId, discussionId } from '../ids.ts'
import { holdNew } from '../moderation/asking.ts'
import { aboutComment, closeCases, toPost } from '../moderation/closing.ts'
import { keepRevision } from '../revisions/queries.ts'
import type { CommentChanges, NewComment } from '../schema.ts'
import { announceAnswer } from '../threads/answer.ts'
import { notifyMentioned, takePart } from '../threads/marks.ts'
import { lockThread } from '../threads/queries.ts'
import type { ThreadRow } from '../threads/rows.ts'
import { judgePost, needsApproval } from '../threads/service.ts'
import { COMMENT_FILES, noComment, toWritten } from '../written.ts'
import { findComment, getComment, insertComment, patchComment, setCommentStatus } from './queries.ts'
import { type CommentRow, toComment } from './rows.ts'

/**
 * Writes a comment in a discussion that is locked for the transaction, and that takes comments.
 * @throws ApiError 422 for a parent or files that are none
 */
export async function writeComment(
  ctx: Context,
  thread: ThreadRow,
  input: NewComment,
  { viewer, author, rendered }: { viewer: Viewer; author: ActingMember; rendered: Rendered },
): Promise<CommentRow> {
  const parent_id =
    input.parent_id === undefined ? null : await parentOf(ctx, thread, input.parent_id, viewer)
  const files = await openFiles(ctx, input.attachments ?? [], { viewer, author: author.id })
  const { heldBy, isAsked, keep } = await judgePost(ctx, author, rendered)
  const waits =
    heldBy.length > 0 ||
    (await needsApproval(ctx, author, { id: thread.category_id, moderated: thread.moderated }))
  const id = newUuid()
  insertComment(ctx, {
    ...{ id, discussion_id: thread.id, parent_id, author_id: author.id },
    status: waits || isAsked ? 'pending' : 'visible',
    ...{ ...toWritten(rendered), attachments: files.ids },
  })
  attachFiles(ctx, files, { kind: COMMENT_FILES, id })
  const isShown = !waits && !isAsked && thread.status === 'visible'
  const category = isShown ? thread.category_id : null
  keepFindable(ctx, commentDocument({ id, author_id: author.id }, { text: rendered.text, category }))
  keep(id)
  const row = await getComment(ctx, { id })
  takePart(ctx, { discussion_id: thread.id, member_id: author.id })
  auditOperator(ctx, { action: 'comment.create', target: toId(commentId, id) }, author.id)
  if (waits || isAsked)
    await holdNew(ctx, aboutComment({ id, discussion_id: thread.id }), toPost(thread, row), {
      heldBy,
      isAsked: !waits,
    })
  else announceComment(ctx, thread, row)
  return row
}

/** Announces a comment that is visible from now on. In a hidden discussion no member can see it, so none is notified. */
export function announceComment(ctx: Context, thread: ThreadRow, row: CommentRow): void {
  emit(ctx, commentCreated, toComment(row))
  if (thread.status !== 'visible') return
  notifyMentioned(
    ctx,
    thread.id,
    row.mentions.filter((member) => member !== row.author_id),
  )
}

/** @throws ApiError 422 for a comment that is not in this discussion, or that cannot be seen */
async function parentOf(ctx: Context, thread: ThreadRow, id: string, viewer: Viewer): Promise<string> {
  const stored = parseId(commentId, id)
  const parent = stored === undefined ? undefined : await findComment(ctx, { id: stored })
  if (parent?.discussion_id !== thread.id || parent.status === 'removed') throw noComment('parent_id')
  if (!maySee(viewer, thread, parent)) throw noComment('parent_id')
  return parent.id
}

/** A comment with its discussion. */
export interface Opened {
  readonly thread: ThreadRow
  readonly comment: CommentRow
}

/** A comment and its discussion, which is locked first. @throws ApiError 404 where either cannot be seen */
export async function openComment(ctx: Context, id: string, viewer: Viewer): Promise<Opened> {
  const { discussion_id } = await getComment(ctx, { id })
  const thread = await lockThread(ctx, { id: discussion_id })
  // Read again, now that nobody else changes it.
  const comment = await getComment(ctx, { id, member: viewer.memberId })
  assertCommentThere(viewer, thread, comment)
  return { thread, comment }
}

/**
 * Changes what is given of a comment that was opened, and keeps what was written before.
 * @throws ApiError 403 for whoever is neither author nor moderator; 422
 */
export async function editComment(
  ctx: Context,
  { thread, comment: before }: Opened,
  changes: CommentChanges,
  { viewer, rendered }: { viewer: Viewer; rendered: Rendered | undefined },
): Promise<CommentRow> {
  assertMayEdit(viewer, thread, before)
  if (Object.keys(changes).length === 0) return before
  const { id } = before
  const files =
    changes.attachments &&
    (await openFiles(ctx, changes.attachments, {
      ...{ viewer, author: before.author_id, before: before.attachments },
    }))
  if (rendered && rendered.source !== before.content)
    keepRevision(ctx, {
      ...{ discussion_id: thread.id, comment_id: id, author_id: before.author_id },
      ...{ replaced_by: publicIdOf(ctx.actor), title: null, content: before.content },
    })
  const stored = { ...(rendered && toWritten(rendered)), attachments: files?.ids ?? before.attachments }
  const row = await patchComment(ctx, { id, member: viewer.memberId, ...stored, changes, ifMatch: undefined })
  if (files) await changeFiles(ctx, files, { kind: COMMENT_FILES, id })
  if (!isAuthor(viewer, before)) audit(ctx, { action: 'comment.edit', target: toId(commentId, id) })
  const isShown = row.status === 'visible' && thread.status === 'visible'
  const category = isShown ? thread.category_id : null
  if (rendered) keepFindable(ctx, commentDocument(row, { text: rendered.text, category }))
  if (isShown) {
    const isNew = (member: string) => !before.mentions.includes(member) && member !== row.author_id
    notifyMentioned(ctx, thread.id, row.mentions.filter(isNew))
    emit(ctx, commentUpdated, toComment(row))
  }
  return row
}

/** Removes a comment that was opened for good; its place stays. @throws ApiError 403 */
export async function removeComment(
  ctx: Context,
  { thread, comment }: Opened,
  viewer: Viewer,
  reason?: string,
): Promise<void> {
  assertOwns(viewer, comment)
  await takeCommentDown(ctx, thread, comment)
  audit(ctx, { action: 'comment.remove', target: toId(commentId, comment.id), reason })
}

/** What removing a comment means, whoever decided it. */
export async function takeCommentDown(ctx: Context, thread: ThreadRow, row: CommentRow): Promise<void> {
  setCommentStatus(ctx, { id: row.id, status: 'removed' })
  forgetInSearch(ctx, COMMENT, [row.id])
  await releaseFiles(ctx, { kind: COMMENT_FILES, id: row.id })
  await closeCases(ctx, aboutComment(row))
  emit(ctx, commentRemoved, {
    id: toId(commentId, row.id),
    discussion_id: toId(discussionId, row.discussion_id),
    author_id: toId('member', row.author_id),
  })
  await announceAnswer(ctx, thread)
}
