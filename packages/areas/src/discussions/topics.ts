import { sql } from 'kysely'

import { showingPosts } from '#areas/profiles/service.ts'
import { assertMay, type Logged, type Publication, type TopicGroup } from '#platform/catalogue/topic.ts'

import { defineQuery } from '#platform/db/query.ts'
import { notFound } from '#platform/errors.ts'
import { isStaff, VISITOR, type Viewer } from '#platform/http/viewer.ts'
import { parseId } from '#platform/ids.ts'
import { isAuthor, mayEnter, maySee } from './access/access.ts'
import { findCategory } from './categories/queries.ts'
import { type CommentRow, comments, toComment } from './comments/rows.ts'
import * as events from './events.ts'
import { commentId, discussionId } from './ids.ts'
import { seeThread } from './threads/queries.ts'
import { type ThreadRow, threads, toDiscussion } from './threads/rows.ts'

const publishedThreads = defineQuery('published_discussions', (v: { ids: readonly string[] }) =>
  threads(null).where('d.id', '=', sql<string>`any (${v.ids}::uuid[])`),
)
const publishedComments = defineQuery('published_comments', (v: { ids: readonly string[] }) =>
  comments(null)
    .select(sql<boolean>`t.shown_at is not null`.as('was_shown'))
    .where('t.id', '=', sql<string>`any (${v.ids}::uuid[])`),
)
type PublishedComment = CommentRow & { was_shown: boolean }

const names = (...types: { readonly name: string }[]) => types.map(({ name }) => name)
/** What says that something is not shown any more is published to whoever could see it, with ids alone. */
const GONE = new Set(names(events.discussionRemoved, events.commentRemoved, events.postHidden))
/** What changes nothing of a post but a number. */
const LIKES = new Set(names(events.postLiked, events.postUnliked))

/** An event, with what it is about as it is now. */
interface Found {
  readonly logged: Logged
  readonly thread: ThreadRow
  /** Undefined for an event of the discussion itself. */
  readonly comment: PublishedComment | undefined
}

/** Discussions and boards. Who may read a post at the moment of an event gets it, as access.ts decides. */
export const discussionTopics: TopicGroup = {
  topics: [
    {
      name: 'discussion',
      of: 'ID',
      description:
        'A discussion and its comments: created, updated, removed, hidden, shown, answered, liked and unliked. Keys need `read:community`',
      example: 'discussion:disc_01jcq3k8f7e8qtk4m3hbw7rn2f',
      open: async (data, asker, of) => {
        assertMay(asker, 'read:community')
        const id = parseId(discussionId, of)
        if (id === undefined) throw notFound('Discussion')
        await data.read({ thread: seeThread({ id, viewer: asker.viewer }) })
        return id
      },
    },
    {
      name: 'category',
      of: 'SLUG',
      description:
        'The same of all discussions in a category. A member needs one of the plans of the category, a key `read:community`',
      example: 'category:general',
      open: async (data, asker, of) => {
        assertMay(asker, 'read:community')
        const { category } = await data.read({ category: findCategory({ slug: of }) })
        if (category === undefined || !mayEnter(asker.viewer, category)) throw notFound('Category')
        return category.id
      },
    },
  ],
  events: names(
    ...[events.discussionCreated, events.discussionUpdated, events.discussionRemoved],
    ...[events.discussionAnswered, events.discussionUnanswered],
    ...[events.commentCreated, events.commentUpdated, events.commentRemoved],
    ...[events.postHeld, events.postHidden, events.postShown],
    ...[events.postLiked, events.postUnliked],
  ),
  publish: async (logged, { data, open, parts: { config } }) => {
    // Somebody may listen to its category, which is known only when its discussion was read.
    const hasCategories = open.keysOf('category').length > 0
    const wanted = logged
      .map((each) => ({ logged: each, threadId: threadOf(each), commentId: commentOf(each) }))
      .filter(({ threadId }) => hasCategories || open.has(`discussion:${threadId}`))
    const idsIn = (name: 'threadId' | 'commentId') => [...new Set(wanted.flatMap((each) => each[name] ?? []))]
    const rows = await data.read({
      threads: publishedThreads({ ids: idsIn('threadId') }),
      comments: publishedComments({ ids: idsIn('commentId') }),
    })
    const byId = <R extends { id: string }>(all: readonly R[]) => new Map(all.map((row) => [row.id, row]))
    const [thread, comment] = [byId(rows.threads), byId(rows.comments as PublishedComment[])]
    const found = wanted.flatMap(({ logged: each, threadId, commentId: id }): Found[] => {
      const its = thread.get(threadId ?? '')
      const about = id === undefined ? undefined : comment.get(id)
      return its === undefined || (id !== undefined && about === undefined)
        ? []
        : [{ logged: each, thread: its, comment: about }]
    })
    const shown = await showingPosts(config).showMembers(data, found.map(dataOf))
    return new Map(found.map((each, i) => [each.logged.id, toPublication(each, shown[i] as object)]))
  },
}

/** The discussion of an event. Events of a discussion itself name it by `id`. */
const threadOf = ({ about }: Logged): string | undefined =>
  parseId(discussionId, about.discussion_id ?? about.id ?? '')
const commentOf = ({ about }: Logged): string | undefined => parseId(commentId, about.id ?? '')

/** The data for those who may see the event. */
function dataOf({ logged: { type, about }, thread, comment }: Found): object {
  const post = comment ?? thread
  const ids = { id: about.id, ...(about.discussion_id !== null && { discussion_id: about.discussion_id }) }
  if (GONE.has(type) || post.status !== 'visible') return ids
  if (LIKES.has(type)) return { ...ids, likes: post.likes }
  return comment === undefined ? toDiscussion(thread) : toComment(comment)
}

function toPublication(found: Found, data: object): Publication {
  const { thread, comment } = found
  const author = (comment ?? thread).author_id
  const topics = [`discussion:${thread.id}`, `category:${thread.category_id}`]
  const judge = (viewer: Viewer) => mayKnow(viewer, found)
  // A public post needs no judgment for each listener.
  return judge(VISITOR) ? { topics, data, author } : { topics, data, author, mayKnow: judge }
}

function mayKnow(viewer: Viewer, { logged, thread, comment }: Found): boolean {
  if (!GONE.has(logged.type))
    return maySee(viewer, thread, thread) && (comment === undefined || maySee(viewer, thread, comment))
  if (comment === undefined) return mayEnter(viewer, thread)
  // A comment that was refused before anybody saw it is nobody's news.
  const couldSee = comment.was_shown || isStaff(viewer) || isAuthor(viewer, comment)
  return couldSee && maySee(viewer, thread, thread)
}
