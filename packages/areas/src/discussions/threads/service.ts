import { judgeWritten, linksIn } from '#areas/moderation/service.ts'
import { attachFiles, changeFiles, openFiles, releaseFiles } from '#areas/storage/service.ts'
import { publicIdOf } from '#platform/actor.ts'
import { audit, auditOperator } from '#platform/audit.ts'
import type { Context } from '#platform/db/tenant.ts'
import { invalidField } from '#platform/errors.ts'
import { emit } from '#platform/events/emit.ts'
import type { ActingMember } from '#platform/http/acting-member.ts'
import { isStaff, type Viewer } from '#platform/http/viewer.ts'
import { newUuid, toId } from '#platform/ids.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import type { Rendered } from '#platform/markdown/render.ts'
import { forgetInSearch, keepFindable } from '#platform/search/documents.ts'
import { plainText } from '#platform/search/plain-text.ts'
import { assertMayEdit, assertModerates, assertThere, isAuthor, mayEnter } from '../access/access.ts'
import type { CategoryRow } from '../categories/queries.ts'
import { categoryFlag, categoryFor, type WithCategory } from '../categories/service.ts'
import { discussionCreated, discussionRemoved, discussionUpdated } from '../events.ts'
import { findComments } from '../find-comments.job.ts'
import { forgetCommentsOf } from '../found.ts'
import { discussionId } from '../ids.ts'
import { holdNew } from '../moderation/asking.ts'
import { aboutDiscussion, closeCases, toPost } from '../moderation/closing.ts'
import { releaseCommentFiles } from '../release-comment-files.job.ts'
import { keepRevision } from '../revisions/queries.ts'
import type { DiscussionChanges, NewDiscussion } from '../schema.ts'
import { DISCUSSION_FILES, toWritten } from '../written.ts'
import { SEARCHED } from './list.ts'
import { notifyMentioned, takePart } from './marks.ts'
import {
  getThread,
  hasPostedIn,
  insertThread,
  lockThread,
  patchThread,
  setThreadLocked,
  setThreadPinned,
  setThreadStatus,
} from './queries.ts'
import { type ThreadRow, toDiscussion } from './rows.ts'

/** Whether a post of this member waits for a moderator: a first one does where the category says so. */
export async function needsApproval(
  ctx: Context,
  author: ActingMember,
  place: { id: string; moderated: boolean },
) {
  return (
    place.moderated &&
    !author.isModerator &&
    !(await hasPostedIn(ctx, { member: author.id, category: place.id }))
  )
}

/** What the rules of the project say about a new post: those of moderators are not judged. @throws ApiError 422 POST_REFUSED */
export async function judgePost(
  ctx: Context,
  author: ActingMember,
  { title, text, html }: Pick<Rendered, 'text' | 'html'> & { title?: string },
): ReturnType<typeof judgeWritten> {
  if (author.isModerator) return { heldBy: [], isAsked: false, keep: () => undefined }
  return judgeWritten(ctx, { title, text, links: linksIn(html), author: author.id })
}

/**
 * Starts a discussion. With a key a category that does not exist yet is made.
 * @throws ApiError 422 for a category or files that are none
 */
export async function startDiscussion(
  ctx: Context,
  input: NewDiscussion,
  { viewer, author, rendered }: { viewer: Viewer; author: ActingMember; rendered: Rendered },
): Promise<ThreadRow & WithCategory> {
  const category = await openCategory(ctx, viewer, input.category)
  const files = await openFiles(ctx, input.attachments ?? [], { viewer, author: author.id })
  const { heldBy, isAsked, keep } = await judgePost(ctx, author, { ...rendered, title: input.title })
  const waits = heldBy.length > 0 || (await needsApproval(ctx, author, category))
  const isHeld = waits || isAsked
  const id = newUuid()
  insertThread(ctx, {
    ...{ id, category_id: category.id, author_id: author.id, status: isHeld ? 'pending' : 'visible' },
    ...{ title: input.title, ...toWritten(rendered), attachments: files.ids },
  })
  takePart(ctx, { discussion_id: id, member_id: author.id })
  auditOperator(ctx, { action: 'discussion.create', target: toId(discussionId, id) }, author.id)
  attachFiles(ctx, files, { kind: DISCUSSION_FILES, id })
  keepFindable(ctx, {
    ...{ kind: SEARCHED, id, title: input.title, text: rendered.text },
    audience: isHeld ? [] : [category.id],
    ...{ author: author.id, categories: [category.id] },
  })
  keep(id)
  const row = await getThread(ctx, { id })
  if (waits || isAsked) await holdNew(ctx, aboutDiscussion({ id }), toPost(row), { heldBy, isAsked: !waits })
  else announceThread(ctx, row)
  return { ...row, ...categoryFlag(category) }
}

/** What everybody learns of a discussion that they can see from now on. */
export function announceThread(ctx: Context, row: ThreadRow): void {
  emit(ctx, discussionCreated, toDiscussion(row))
  const others = row.mentions.filter((member) => member !== row.author_id)
  notifyMentioned(ctx, row.id, others)
}

/** @throws ApiError 422, the same for a category that is missing and for one that is closed to whoever asks */
async function openCategory(
  ctx: Context,
  viewer: Viewer,
  named: string,
): Promise<CategoryRow & WithCategory> {
  const category = await categoryFor(ctx, named, viewer.isKey)
  if (!mayEnter(viewer, category)) throw invalidField('category', 'exists', 'is not the slug of a category')
  return category
}

/** A discussion that nobody else changes until this transaction ends. @throws ApiError 404 where it is not there for this viewer */
export async function lockFor(ctx: Context, id: string, viewer: Viewer): Promise<ThreadRow> {
  const row = await lockThread(ctx, { id, member: viewer.memberId })
  assertThere(viewer, row)
  return row
}

/**
 * Changes what is given, and keeps what was written before.
 * @param rendered of the new content
 * @throws ApiError 403 for whoever is neither author nor moderator; 404; 422
 */
export async function updateDiscussion(
  ctx: Context,
  id: string,
  changes: DiscussionChanges,
  { viewer, rendered }: { viewer: Viewer; rendered: Rendered | undefined },
): Promise<ThreadRow & WithCategory> {
  const member = viewer.memberId
  const before = await lockFor(ctx, id, viewer)
  assertMayEdit(viewer, before, before)
  if (Object.keys(changes).length === 0) return before
  const category: { id: string } & WithCategory =
    changes.category === undefined
      ? { id: before.category_id }
      : await destination(ctx, viewer, before, changes.category)
  const files =
    changes.attachments &&
    (await openFiles(ctx, changes.attachments, {
      ...{ viewer, author: before.author_id, before: before.attachments },
    }))
  const { title } = { ...before, ...changes }
  if (title !== before.title || (rendered && rendered.source !== before.content))
    keepRevision(ctx, {
      ...{ discussion_id: id, comment_id: null, author_id: before.author_id },
      ...{ replaced_by: publicIdOf(ctx.actor), title: before.title, content: before.content },
    })
  const stored = {
    ...(rendered && toWritten(rendered)),
    ...{ category_id: category.id, attachments: files?.ids ?? before.attachments },
  }
  const row = await patchThread(ctx, { id, member, ...stored, changes, ifMatch: undefined })
  if (files) await changeFiles(ctx, files, { kind: DISCUSSION_FILES, id })
  const audience = before.status === 'visible' ? [category.id] : []
  const categories = [category.id]
  const isMoved = category.id !== before.category_id
  if (rendered || isMoved || title !== before.title) {
    const text = rendered?.text ?? plainText(before.content_html, { mentions: false })
    keepFindable(ctx, { kind: SEARCHED, id, title, text, audience, author: before.author_id, categories })
  }
  if (isMoved) {
    forgetCommentsOf(ctx, id)
    enqueue(ctx, findComments, { discussion_id: id })
  }
  if (!isAuthor(viewer, before)) audit(ctx, { action: 'discussion.edit', target: toId(discussionId, id) })
  if (row.status === 'visible') {
    notifyMentioned(
      ctx,
      id,
      row.mentions.filter((each) => !before.mentions.includes(each)),
    )
    emit(ctx, discussionUpdated, toDiscussion(row))
  }
  return { ...row, ...categoryFlag(category) }
}

/**
 * Where a discussion moves to. A moderated category looks at a member's first post before it is shown, so that a post
 * that is shown already is no way in.
 * @throws ApiError 422
 */
async function destination(ctx: Context, viewer: Viewer, thread: ThreadRow, named: string) {
  const category = await openCategory(ctx, viewer, named)
  const isLookedAt = category.id !== thread.category_id && category.moderated && !isStaff(viewer)
  if (isLookedAt && !(await hasPostedIn(ctx, { member: thread.author_id, category: category.id })))
    throw invalidField(
      'category',
      'moderated',
      'is a category that moderates first posts: start a new discussion in it',
    )
  return category
}

/**
 * Removes a discussion for good: nobody but staff sees it any more.
 * @throws ApiError 403; 404; 422 DISCUSSION_LOCKED for its author, who would remove what others wrote there
 */
export async function removeDiscussion(
  ctx: Context,
  id: string,
  viewer: Viewer,
  reason?: string,
): Promise<void> {
  const row = await lockFor(ctx, id, viewer)
  assertMayEdit(viewer, row, row)
  await takeDown(ctx, row)
  audit(ctx, { action: 'discussion.remove', target: toId(discussionId, id), reason })
}

/** What removing a discussion means, whoever decided it. */
export async function takeDown(ctx: Context, row: ThreadRow): Promise<void> {
  setThreadStatus(ctx, { id: row.id, status: 'removed' })
  forgetInSearch(ctx, SEARCHED, [row.id])
  forgetCommentsOf(ctx, row.id)
  await releaseFiles(ctx, { kind: DISCUSSION_FILES, id: row.id })
  enqueue(ctx, releaseCommentFiles, { discussion_id: row.id })
  await closeCases(ctx, aboutDiscussion(row))
  emit(ctx, discussionRemoved, {
    id: toId(discussionId, row.id),
    author_id: toId('member', row.author_id),
    category: row.category,
  })
}

/** @throws ApiError 403, 404 */
export function pinDiscussion(ctx: Context, id: string, viewer: Viewer, isPinned: boolean) {
  return moderate(ctx, id, viewer, (row) => {
    if (row.is_pinned === isPinned) return
    setThreadPinned(ctx, { id, is_pinned: isPinned })
    audit(ctx, { action: isPinned ? 'discussion.pin' : 'discussion.unpin', target: toId(discussionId, id) })
  })
}

/** @throws ApiError 403, 404 */
export function lockDiscussion(ctx: Context, id: string, viewer: Viewer, isLocked: boolean) {
  return moderate(ctx, id, viewer, (row) => {
    if (row.is_locked === isLocked) return
    setThreadLocked(ctx, { id, is_locked: isLocked })
    audit(ctx, { action: isLocked ? 'discussion.lock' : 'discussion.unlock', target: toId(discussionId, id) })
  })
}

async function moderate(
  ctx: Context,
  id: string,
  viewer: Viewer,
  change: (row: ThreadRow) => void,
): Promise<ThreadRow> {
  const before = await lockFor(ctx, id, viewer)
  assertModerates(viewer)
  change(before)
  const row = await getThread(ctx, { id, member: viewer.memberId })
  const isChanged = row.is_pinned !== before.is_pinned || row.is_locked !== before.is_locked
  if (isChanged && row.status === 'visible') emit(ctx, discussionUpdated, toDiscussion(row))
  return row
}
