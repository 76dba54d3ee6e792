import { releaseFiles } from '#areas/storage/service.ts'
import { publicIdOf } from '#platform/actor.ts'
import { audit } from '#platform/audit.ts'
import { forgetInSearch, keepFindable, showTo } from '#platform/db/search/documents.ts'
import type { Context } from '#platform/db/tenant.ts'
import { invalidField } from '#platform/errors.ts'
import { emit } from '#platform/events/emit.ts'
import type { ActingMember } from '#platform/http/acting-member.ts'
import { newUuid, toId } from '#platform/ids.ts'
import type { Rendered } from '#platform/markdown/render.ts'
import {
  assertMayEdit,
  assertModerates,
  assertOwns,
  assertThere,
  isAuthor,
  isStaff,
  mayEnter,
  type Viewer,
} from '../access/access.ts'
import type { CategoryRow } from '../categories/queries.ts'
import { categoryFor } from '../categories/service.ts'
import { askForDigest } from '../digests/ask.ts'
import { discussionCreated, discussionRemoved, discussionUpdated } from '../events.ts'
import { discussionId } from '../ids.ts'
import { closeCases } from '../moderation/closing.ts'
import { holdPost } from '../moderation/queries.ts'
import { keepRevision } from '../revisions/queries.ts'
import type { DiscussionChanges, NewDiscussion } from '../schema.ts'
import { attachAll, filesOf, toWritten } from '../written.ts'
import { SEARCHED } from './list.ts'
import { takesPart, tellMentioned } from './marks.ts'
import {
  getThread,
  hasPostedIn,
  insertThreadRow,
  lockThread,
  renderedThread,
  setThreadLocked,
  setThreadPinned,
  setThreadStatus,
  updateThreadRow,
} from './queries.ts'
import { type ThreadRow, toDiscussion } from './rows.ts'

/** What attachments of discussions refer from. */
export const DISCUSSION_FILES = 'discussion'

/** Whether a post of this member waits for a moderator: a first one does where the category says so. */
export async function isHeld(ctx: Context, author: ActingMember, place: { id: string; moderated: boolean }) {
  return place.moderated && !author.isModerator && !(await hasPostedIn(ctx, author.id, place.id))
}

/**
 * Starts a discussion. With a key a category that does not exist yet is made.
 * @throws ApiError 422 for a category or files that are none
 */
export async function startDiscussion(
  ctx: Context,
  input: NewDiscussion,
  { viewer, author, rendered }: { viewer: Viewer; author: ActingMember; rendered: Rendered },
): Promise<ThreadRow> {
  const category = await openCategory(ctx, viewer, input.category)
  const files = await filesOf(ctx, input.attachments ?? [], ownerOf(viewer))
  const held = await isHeld(ctx, author, category)
  const id = newUuid()
  const written = toWritten(rendered)
  insertThreadRow(ctx, {
    ...{ id, category: category.id, author: author.id, status: held ? 'pending' : 'visible' },
    ...{ title: input.title, content: input.content, ...written, attachments: files },
  })
  takesPart(ctx, { discussion: id, member: author.id })
  attachAll(ctx, files, DISCUSSION_FILES, id)
  keepFindable(ctx, {
    ...{ kind: SEARCHED, id, title: input.title, text: rendered.text },
    audience: held ? [] : [category.id],
  })
  if (held) holdPost(ctx, { discussion: id, comment: null })
  const row = await getThread(ctx, id)
  if (!held) announceThread(ctx, row)
  return row
}

/** What everybody learns of a discussion that they can see from now on. */
export function announceThread(ctx: Context, row: ThreadRow): void {
  emit(ctx, discussionCreated, toDiscussion(row))
  const others = row.mentions.filter((member) => member !== row.author_id)
  tellMentioned(ctx, row.id, others)
  if (others.length > 0) askForDigest(ctx, row)
}

/** Of members only their own files can be attached. */
export const ownerOf = (viewer: Viewer): string | null => (viewer.kind === 'member' ? viewer.memberId : null)

/** @throws ApiError 422, the same for a category that is missing and for one that is closed to whoever asks */
async function openCategory(ctx: Context, viewer: Viewer, named: string): Promise<CategoryRow> {
  const category = await categoryFor(ctx, named, viewer.kind === 'key')
  if (!mayEnter(viewer, category)) throw invalidField('category', 'exists', 'is not the slug of a category')
  return category
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
): Promise<ThreadRow> {
  const member = ownerOf(viewer)
  const before = await lockThread(ctx, id, member)
  assertThere(viewer, before)
  assertMayEdit(viewer, before, before)
  if (Object.keys(changes).length === 0) return before
  const category =
    changes.category === undefined
      ? { id: before.category_id }
      : await destination(ctx, viewer, before, changes.category)
  const files =
    changes.attachments === undefined
      ? before.attachments
      : await filesOf(ctx, changes.attachments, isStaff(viewer) ? null : member)
  const kept = await renderedThread(ctx, id)
  const written = rendered
    ? toWritten(rendered)
    : { html: kept.content_html, excerpt: kept.excerpt, mentions: kept.mentions }
  const { title, content } = { ...before, ...changes }
  if (title !== before.title || content !== before.content)
    keepRevision(ctx, {
      ...{ discussion: id, comment: null, author: before.author_id },
      ...{ by: publicIdOf(ctx.actor), title: before.title, content: before.content },
    })
  await updateThreadRow(ctx, { id, category: category.id, title, content, ...written, attachments: files })
  attachAll(ctx, files, DISCUSSION_FILES, id)
  if (changes.attachments !== undefined) await releaseFiles(ctx, { kind: DISCUSSION_FILES, id }, files)
  const audience = before.status === 'visible' ? [category.id] : []
  if (rendered) keepFindable(ctx, { kind: SEARCHED, id, title, text: rendered.text, audience })
  else showTo(ctx, SEARCHED, [id], audience)
  if (!isAuthor(viewer, before)) audit(ctx, { action: 'discussion.edit', target: toId(discussionId, id) })
  const row = await getThread(ctx, id, member)
  if (row.status === 'visible') {
    tellMentioned(
      ctx,
      id,
      row.mentions.filter((each) => !before.mentions.includes(each)),
    )
    emit(ctx, discussionUpdated, toDiscussion(row))
  }
  return row
}

/**
 * Where a discussion moves to. A moderated category looks at a member's first post before it is shown, so that a post
 * that is shown already is no way in.
 * @throws ApiError 422
 */
async function destination(ctx: Context, viewer: Viewer, thread: ThreadRow, named: string) {
  const category = await openCategory(ctx, viewer, named)
  const isLookedAt = category.id !== thread.category_id && category.moderated && !isStaff(viewer)
  if (isLookedAt && !(await hasPostedIn(ctx, thread.author_id, category.id)))
    throw invalidField(
      'category',
      'moderated',
      'is a category that moderates first posts: start a new discussion in it',
    )
  return category
}

/** Removes a discussion for good: nobody but staff sees it any more. @throws ApiError 403, 404 */
export async function removeDiscussion(
  ctx: Context,
  id: string,
  viewer: Viewer,
  reason?: string,
): Promise<void> {
  const row = await lockThread(ctx, id, ownerOf(viewer))
  assertThere(viewer, row)
  assertOwns(viewer, row)
  await takeDown(ctx, row)
  audit(ctx, { action: 'discussion.remove', target: toId(discussionId, id), reason })
}

/** What removing a discussion means, whoever decided it. */
export async function takeDown(ctx: Context, row: ThreadRow): Promise<void> {
  await setThreadStatus(ctx, row.id, 'removed')
  forgetInSearch(ctx, SEARCHED, [row.id])
  await releaseFiles(ctx, { kind: DISCUSSION_FILES, id: row.id })
  await closeCases(ctx, { discussion: row.id, comment: null })
  emit(ctx, discussionRemoved, {
    id: toId(discussionId, row.id),
    author_id: toId('member', row.author_id),
    category: row.category,
  })
}

/** @throws ApiError 403, 404 */
export async function pinDiscussion(ctx: Context, id: string, viewer: Viewer, isPinned: boolean) {
  return moderate(ctx, id, viewer, async (row) => {
    if (row.is_pinned === isPinned) return
    await setThreadPinned(ctx, id, isPinned)
    audit(ctx, { action: isPinned ? 'discussion.pin' : 'discussion.unpin', target: toId(discussionId, id) })
  })
}

/** @throws ApiError 403, 404 */
export async function lockDiscussion(ctx: Context, id: string, viewer: Viewer, isLocked: boolean) {
  return moderate(ctx, id, viewer, async (row) => {
    if (row.is_locked === isLocked) return
    await setThreadLocked(ctx, id, isLocked)
    audit(ctx, { action: isLocked ? 'discussion.lock' : 'discussion.unlock', target: toId(discussionId, id) })
  })
}

async function moderate(
  ctx: Context,
  id: string,
  viewer: Viewer,
  change: (row: ThreadRow) => Promise<void>,
): Promise<ThreadRow> {
  const before = await lockThread(ctx, id, ownerOf(viewer))
  assertThere(viewer, before)
  assertModerates(viewer)
  await change(before)
  const row = await getThread(ctx, id, ownerOf(viewer))
  const isChanged = row.is_pinned !== before.is_pinned || row.is_locked !== before.is_locked
  if (isChanged && row.status === 'visible') emit(ctx, discussionUpdated, toDiscussion(row))
  return row
}
