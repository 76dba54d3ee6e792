import { linksIn } from '#areas/moderation/service.ts'
import type { ModeratedKind, ModeratedPost } from '#platform/catalogue/moderated.ts'
import type { Context } from '#platform/db/tenant.ts'
import { isStaff, type Viewer } from '#platform/http/viewer.ts'
import { parseId, toId } from '#platform/ids.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import type { Rendered } from '#platform/markdown/render.ts'
import { keepFindable, showTo } from '#platform/search/documents.ts'
import { plainText } from '#platform/search/plain-text.ts'
import { assertMayEdit, maySee } from '../access/access.ts'
import { findComment, getComment, setCommentStatus } from '../comments/queries.ts'
import type { CommentRow } from '../comments/rows.ts'
import { announceComment, takeCommentDown } from '../comments/service.ts'
import { findComments } from '../find-comments.job.ts'
import { COMMENT, commentDocument, forgetCommentsOf } from '../found.ts'
import { commentId, discussionId } from '../ids.ts'
import { announceAnswer } from '../threads/answer.ts'
import { SEARCHED } from '../threads/list.ts'
import { findThread, getThread, setThreadStatus } from '../threads/queries.ts'
import type { ThreadRow } from '../threads/rows.ts'
import { announceThread, takeDown } from '../threads/service.ts'
import { aboutComment, aboutDiscussion, idOfPost, toPost } from './closing.ts'
import { judgeEdit } from './service.ts'

/** Discussions and their comments. A post is locked by its discussion. */
export const discussionPosts: ModeratedKind = {
  isAbout: ({ discussion_id }) => discussion_id !== null,
  idOf: idOfPost,
  above: ({ discussion_id }) => ({
    discussion_id: toId(discussionId, discussion_id ?? ''),
    feedback_id: null,
  }),
  async find(ctx, id) {
    const comment = parseId(commentId, id)
    if (comment !== undefined) {
      const row = await findComment(ctx, { id: comment })
      return row && aboutComment(row)
    }
    const thread = parseId(discussionId, id)
    return thread === undefined ? undefined : aboutDiscussion({ id: thread })
  },
  async open(ctx, { discussion_id, comment_id }) {
    const thread = await findThread(ctx, { id: discussion_id ?? '' })
    const comment = comment_id === null ? undefined : await findComment(ctx, { id: comment_id })
    if (thread === undefined || (comment_id !== null && comment === undefined)) return undefined
    return postOf(thread, comment)
  },
}

/** A post of a discussion that is locked. */
export const postOf = (thread: ThreadRow, comment?: CommentRow): ModeratedPost =>
  comment === undefined ? ofThread(thread) : ofComment(thread, comment)

const ofThread = (thread: ThreadRow): ModeratedPost => {
  const { id, title, content, category_id, author_id } = thread
  return {
    ...{ target: aboutDiscussion(thread), names: toPost(thread), author_id, title, content },
    status: thread.status as ModeratedPost['status'],
    maySee: (viewer) => thread.status !== 'removed' && maySee(viewer, thread, thread),
    async hide(ctx) {
      setThreadStatus(ctx, { id, status: 'pending' })
      showTo(ctx, SEARCHED, [id], [])
      forgetCommentsOf(ctx, id)
    },
    // A first post is dated by the moment in which it is shown, so that whoever has read the rest finds it unread.
    async show(ctx, { isNews }) {
      setThreadStatus(ctx, { id, status: 'visible', isNews })
      keepFindable(ctx, {
        ...{ kind: SEARCHED, id, title, text: textOf(thread), audience: [category_id] },
        ...{ author: author_id, categories: [category_id] },
        ...(!isNews && { writtenAt: thread.created_at }),
      })
      enqueue(ctx, findComments, { discussion_id: id })
      if (isNews) announceThread(ctx, await getThread(ctx, { id }))
    },
    remove: async (ctx) => {
      if (thread.status !== 'removed') await takeDown(ctx, thread)
    },
  }
}

const ofComment = (thread: ThreadRow, comment: CommentRow): ModeratedPost => {
  const { id, author_id, content } = comment
  return {
    ...{ target: aboutComment(comment), names: toPost(thread, comment), author_id, content },
    ...{ title: thread.title, status: comment.status as ModeratedPost['status'] },
    maySee: (viewer) =>
      ![thread.status, comment.status].includes('removed') &&
      maySee(viewer, thread, thread) &&
      maySee(viewer, thread, comment),
    async hide(ctx) {
      setCommentStatus(ctx, { id, status: 'pending' })
      showTo(ctx, COMMENT, [id], [])
      await announceAnswer(ctx, thread)
    },
    async show(ctx, { isNews }) {
      setCommentStatus(ctx, { id, status: 'visible', isNews })
      const category = thread.status === 'visible' ? thread.category_id : null
      keepFindable(ctx, {
        ...commentDocument(comment, { text: textOf(comment), category }),
        ...(!isNews && { writtenAt: comment.created_at }),
      })
      if (isNews) announceComment(ctx, thread, await getComment(ctx, { id }))
      await announceAnswer(ctx, thread)
    },
    remove: async (ctx) => {
      if (comment.status !== 'removed') await takeCommentDown(ctx, thread, comment)
    },
  }
}

/** The text of a post as it is searched. */
const textOf = ({ content_html }: { content_html: string }): string =>
  plainText(content_html, { mentions: false })

/** The text of a post as it will be. */
interface ChangedPost {
  readonly viewer: Viewer
  readonly thread: ThreadRow
  readonly comment?: CommentRow
  /** Of a discussion. */
  readonly title?: string | undefined
  /** Undefined where the text stays. */
  readonly rendered: Rendered | undefined
}

/**
 * Judges the new text of a post, before it is changed. A held text is hidden until a moderator has approved it. Changes
 * by staff are not judged.
 * @throws ApiError 422 POST_REFUSED; 403 and 422 where the viewer may not change the post
 */
export async function judgeChange(ctx: Context, changed: ChangedPost): Promise<void> {
  const { viewer, thread, comment, rendered, title } = changed
  if (isStaff(viewer) || (rendered === undefined && title === undefined)) return
  const post = comment ?? thread
  assertMayEdit(viewer, thread, post)
  await judgeEdit(ctx, postOf(thread, comment), {
    text: rendered?.text ?? post.content,
    links: linksIn(rendered?.html ?? post.content_html),
    title: comment ? undefined : (title ?? thread.title),
  })
}
