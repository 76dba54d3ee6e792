import { closeCases, judgeEdit } from '#areas/discussions/service.ts'
import { linksInText } from '#areas/moderation/service.ts'
import { releaseFiles } from '#areas/storage/service.ts'
import type {
  ModeratedKind,
  ModeratedPost,
  ModeratedTarget,
  PostNames,
} from '#platform/catalogue/moderated.ts'
import type { Context } from '#platform/db/tenant.ts'
import { emit } from '#platform/events/emit.ts'
import { isStaff, type Viewer } from '#platform/http/viewer.ts'
import { parseId, toId } from '#platform/ids.ts'
import { withoutMentions } from '#platform/markdown/mentions.ts'
import { forgetInSearch, keepFindable } from '#platform/search/documents.ts'
import { maySee, maySeeComment, statusOf } from './access.ts'
import {
  type CommentRow,
  commentsWithFiles,
  FEEDBACK_COMMENT,
  findComment,
  hideComment,
  showComment,
  takeCommentDown,
  toComment,
} from './comments/queries.ts'
import { feedbackCommented, feedbackCommentRemoved, feedbackCreated, feedbackDeleted } from './events.ts'
import { FEEDBACK, itemDocument, titleOf } from './found.ts'
import { commentId, feedbackId } from './ids.ts'
import { findItem, hideItem, readItem, showItem, takeItemDown } from './queries.ts'
import { type ItemRow, toItemData } from './rows.ts'
import type { FeedbackChanges } from './schema.ts'
import { addVote, lockTree, releaseDuplicates } from './votes/queries.ts'

// Items and comments that are reported, held or removed. What waits is as private as a bug: its author and the team see it. So no list,
// no search and no notification has a rule of its own for it; `shown_as` is what it is when it is approved.

/** What a case about an item, or about a comment on it, names. */
export const aboutFeedback = (feedback_id: string, comment: string | null = null): ModeratedTarget => ({
  ...{ discussion_id: null, comment_id: null },
  ...{ feedback_id, feedback_comment_id: comment },
})

/** The public id of what a case is about. */
export const idOfPost = ({ feedback_id, feedback_comment_id }: ModeratedTarget): string =>
  feedback_comment_id === null ? toId(feedbackId, feedback_id ?? '') : toId(commentId, feedback_comment_id)

/** How events of moderation name an item, or a comment on it. */
export const namesOf = (feedback: string, post: { id: string; author_id: string | null }): PostNames => ({
  id: feedback === post.id ? toId(feedbackId, feedback) : toId(commentId, post.id),
  ...{ discussion_id: null, feedback_id: toId(feedbackId, feedback) },
  author_id: post.author_id === null ? null : toId('member', post.author_id),
})

/** Items and comments of the board. A comment is locked by its item. */
export const feedbackPosts: ModeratedKind = {
  isAbout: ({ feedback_id }) => feedback_id !== null,
  idOf: idOfPost,
  above: ({ feedback_id }) => ({ discussion_id: null, feedback_id: toId(feedbackId, feedback_id ?? '') }),
  async find(ctx, id) {
    const comment = parseId(commentId, id)
    if (comment !== undefined) {
      const row = await findComment(ctx, { id: comment })
      return row && aboutFeedback(row.feedback_id, row.id)
    }
    const item = parseId(feedbackId, id)
    return item === undefined ? undefined : aboutFeedback(item)
  },
  async open(ctx, { feedback_id, feedback_comment_id }, mayRemove) {
    // Before the item: whoever votes locks the tree first.
    if (mayRemove) lockTree(ctx)
    const item = await findItem(ctx, { id: feedback_id ?? '' })
    if (item === undefined) return undefined
    if (feedback_comment_id === null) return ofItem(item)
    const comment = await findComment(ctx, { id: feedback_comment_id })
    return comment && ofComment(item, comment)
  },
}

const ofItem = (item: ItemRow): ModeratedPost => {
  const { id, author_id, message } = item
  return {
    ...{ target: aboutFeedback(id), names: namesOf(id, item), author_id, content: message },
    ...{ title: titleOf(item), status: statusOf(item) },
    maySee: (viewer) => statusOf(item) !== 'removed' && maySee(viewer, item),
    async hide(ctx) {
      hideItem(ctx, { id })
      keepFindable(ctx, itemDocument({ ...item, visibility: 'private' }))
    },
    async show(ctx, { isNews }) {
      showItem(ctx, { id })
      const row = await readItem(ctx, { id })
      keepFindable(ctx, itemDocument(row))
      if (!isNews) return
      if (author_id !== null) addVote(ctx, { feedbackId: id, memberId: author_id })
      emit(ctx, feedbackCreated, toItemData(await readItem(ctx, { id })))
    },
    remove: (ctx) => removeItem(ctx, item),
  }
}

/** The team can still read it; its files are gone, and items that were merged into it are shown again. */
async function removeItem(ctx: Context, item: ItemRow): Promise<void> {
  if (statusOf(item) === 'removed') return
  const { id } = item
  await releaseDuplicates(ctx, id)
  takeItemDown(ctx, { id })
  await releaseFiles(ctx, { kind: FEEDBACK, id })
  for (const comment of await commentsWithFiles(ctx, { feedbackId: id }))
    await releaseFiles(ctx, { kind: FEEDBACK_COMMENT, id: comment.id })
  forgetInSearch(ctx, FEEDBACK, [id])
  await closeCases(ctx, aboutFeedback(id), idOfPost)
  emit(ctx, feedbackDeleted, { id: toId(feedbackId, id) })
}

const ofComment = (item: ItemRow, comment: CommentRow): ModeratedPost => {
  const { id, author_id, content } = comment
  const target = aboutFeedback(item.id, id)
  return {
    ...{ target, names: namesOf(item.id, comment), author_id, content },
    ...{ title: titleOf(item), status: statusOf(comment) },
    maySee: (viewer) =>
      ![statusOf(item), statusOf(comment)].includes('removed') &&
      maySee(viewer, item) &&
      maySeeComment(viewer, comment),
    hide: async (ctx) => {
      hideComment(ctx, { id })
    },
    async show(ctx, { isNews }) {
      showComment(ctx, { id })
      const row = await findComment(ctx, { id })
      if (isNews && row !== undefined) emit(ctx, feedbackCommented, toComment(row))
    },
    async remove(ctx) {
      if (statusOf(comment) === 'removed') return
      takeCommentDown(ctx, { id })
      await releaseFiles(ctx, { kind: FEEDBACK_COMMENT, id })
      await closeCases(ctx, target, idOfPost)
      const { id: publicId, feedback_id, author_id: author } = toComment(comment)
      emit(ctx, feedbackCommentRemoved, { id: publicId, feedback_id, author_id: author })
    },
  }
}

/** The words of an item as rules read them: without mentions. */
export const judgedText = ({ title, message }: { title?: string | null; message: string }) => {
  const text = withoutMentions(message)
  const named = title ? withoutMentions(title) : undefined
  return { title: named, text, links: linksInText(`${named ?? ''} ${text}`) }
}

/**
 * Judges new words of an item that others see, or that waits. Those of the team are not judged, nor what the team alone reads.
 * @throws ApiError 422 POST_REFUSED
 */
export async function judgeWords(
  ctx: Context,
  viewer: Viewer,
  item: ItemRow,
  changes: FeedbackChanges,
): Promise<void> {
  if (isStaff(viewer) || (changes.title === undefined && changes.message === undefined)) return
  const willBe = item.shown_as ?? item.visibility
  if (willBe !== 'public') return
  const { title = item.title, message = item.message } = changes
  await judgeEdit(ctx, ofItem(item), judgedText({ title, message }))
}
