import { sql } from 'kysely'
import { postHidden, postShown } from '#areas/discussions/events.ts'
import { showingPosts } from '#areas/profiles/service.ts'
import { assertMay, type Logged, type Publication, type TopicGroup } from '#platform/catalogue/topic.ts'
import { defineQuery } from '#platform/db/query.ts'
import { isStaff, VISITOR, type Viewer } from '#platform/http/viewer.ts'
import { parseId } from '#platform/ids.ts'
import { maySee, maySeeComment } from './access.ts'
import { commentRows, toComment } from './comments/queries.ts'
import * as events from './events.ts'
import { commentId, feedbackId } from './ids.ts'
import { isMergedIntoPrivate, itemsOf } from './queries.ts'
import { toItem } from './rows.ts'

const publishedItems = defineQuery('published_feedback', (v: { ids: readonly string[] }) =>
  itemsOf()
    .select([isMergedIntoPrivate, sql<boolean>`false`.as('voted')])
    .where('f.id', '=', sql<string>`any (${v.ids}::uuid[])`),
)
const publishedComments = defineQuery('published_feedback_comments', (v: { ids: readonly string[] }) =>
  commentRows().where('id', '=', sql<string>`any (${v.ids}::uuid[])`),
)

/** The board has one topic, which is of nothing. */
const BOARD = ''
const TOPICS = [`feedback:${BOARD}`]

/** The board. Members get public items and their own, as access.ts decides; moderators and keys get all. */
export const feedbackTopics: TopicGroup = {
  topics: [
    {
      name: 'feedback',
      description:
        'Items of feedback and their comments: created, updated, merged, commented, and their statuses. Moderators and keys also get deletions. Keys need `read:community`',
      example: 'feedback',
      open: async (_data, asker) => {
        assertMay(asker, 'read:community')
        return BOARD
      },
    },
  ],
  events: [...Object.values(events), postHidden, postShown].map(({ name }) => name),
  publish: async (logged, { data, parts: { config } }) => {
    const ids = (of: (each: Logged) => string | undefined) => [
      ...new Set(logged.flatMap((each) => of(each) ?? [])),
    ]
    const rows = await data.read({
      items: publishedItems({ ids: ids(itemOf) }),
      comments: publishedComments({ ids: ids(commentOf) }),
    })
    const items = new Map(rows.items.map((row) => [row.id, row]))
    const comments = new Map(rows.comments.map((row) => [row.id, row]))
    const found = logged.map((each) => {
      const item = items.get(itemOf(each) ?? '')
      const comment = comments.get(commentOf(each) ?? '')
      return { each, publication: toPublication(each, item, comment) }
    })
    const shown = await showingPosts(config).showMembers(
      data,
      found.map(({ publication }) => publication.data),
    )
    return new Map(
      found.map(({ each, publication }, i) => [each.id, { ...publication, data: shown[i] as object }]),
    )
  },
}

/** The item of an event. Events of an item itself name it by `id`. */
const itemOf = ({ about }: Logged) => parseId(feedbackId, about.feedback_id ?? about.id ?? '')
const commentOf = ({ about }: Logged) => parseId(commentId, about.id ?? '')

type PublishedItem = Parameters<typeof toItem>[0]
type PublishedComment = Parameters<typeof toComment>[0]

function toPublication(
  logged: Logged,
  item: PublishedItem | undefined,
  comment: PublishedComment | undefined,
): Publication {
  const { id, feedback_id } = logged.about
  const ids = { id, ...(feedback_id !== null && { feedback_id }) }
  // Nobody knows any more who could see what was deleted.
  if (item === undefined || (commentOf(logged) !== undefined && comment === undefined))
    return { topics: TOPICS, data: ids, mayKnow: isStaff }
  // Everybody could see what is hidden from now on.
  if (logged.type === postHidden.name) return { topics: TOPICS, data: ids }
  const judge = (viewer: Viewer) =>
    maySee(viewer, item) && (comment === undefined || maySeeComment(viewer, comment))
  // What not everybody may read is published with ids alone.
  if (!judge(VISITOR)) return { topics: TOPICS, data: ids, mayKnow: judge }
  const author = (comment ?? item).author_id
  const data = comment === undefined ? toItem(item, VISITOR) : toComment(comment)
  return { topics: TOPICS, data, ...(author !== null && { author }) }
}
