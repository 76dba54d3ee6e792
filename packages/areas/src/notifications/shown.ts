import { commentId, discussionId } from '#areas/discussions/ids.ts'
import { feedbackId } from '#areas/feedback/ids.ts'
import { certificateId, courseId } from '#areas/lms/ids.ts'
import { findPeople, toAuthors } from '#areas/profiles/service.ts'
import { orderId } from '#areas/shop/ids.ts'
import type { Config } from '#platform/config.ts'
import { answering, mapAnswer } from '#platform/db/query.ts'
import type { Ask } from '#platform/db/statement.ts'
import { parseId, type Resource, toId } from '#platform/ids.ts'
import { fillText, mentionedIn, type NameOf } from '#platform/markdown/mentions.ts'
import { plainText } from '#platform/search/plain-text.ts'
import type { SecretKeys } from '#platform/secrets/secret-keys.ts'
import { messageId, notificationId } from './ids.ts'
import type { Kind, StoredTarget, Target } from './kinds.ts'
import type { NotificationRow } from './queries.ts'
import type { Notification } from './schema.ts'
import { textOf } from './text.ts'

const RESOURCES: Readonly<Record<Target, Resource>> = {
  discussion: discussionId,
  comment: commentId,
  feedback: feedbackId,
  order: orderId,
  course: courseId,
  certificate: certificateId,
  member: 'member',
  message: messageId,
}

const COMMENT_ON_FEEDBACK: StoredTarget = 'feedback_comment'

/** Rows as their member sees them, by the profiles of those who did it. */
export function shownWith(
  config: Pick<Config, 'BASE_URL'> & SecretKeys,
  stored: readonly NotificationRow[],
): Ask<Notification[]> {
  const rows = stored.map(withPlainWords)
  const mentioned = rows.flatMap(({ title, words }) => mentionedIn(`${title ?? ''}\n${words ?? ''}`))
  const ids = [
    ...new Set([
      ...rows.flatMap(({ actor_ids }) => actor_ids),
      ...mentioned.flatMap((id) => parseId('member', id) ?? []),
    ]),
  ]
  const people = ids.length === 0 ? answering([]) : findPeople({ ids })
  return mapAnswer(people, (found) => {
    const authors = new Map(toAuthors(config, found).map((author) => [author.id, author]))
    return rows.map((row) => {
      const actors = row.actor_ids.flatMap((id) => authors.get(toId('member', id)) ?? [])
      const nameOf: NameOf = (id) => authors.get(id)?.display_name ?? `Member ${id.slice(-4)}`
      const fill = (text: string | null) => text && fillText(text, nameOf)
      return toNotification({ ...row, title: fill(row.title), words: fill(row.words) }, actors)
    })
  })
}

/** Comments on feedback have no excerpt, so their HTML is read. */
const withPlainWords = (row: NotificationRow): NotificationRow =>
  row.target_type === COMMENT_ON_FEEDBACK && row.words !== null
    ? { ...row, words: plainText(row.words, { mentions: true }) }
    : row

function toNotification(row: NotificationRow, actors: Notification['actors']): Notification {
  const { type, target } = targetOf(row)
  const url = addressOf(row)
  return {
    id: toId(notificationId, row.id),
    kind: row.kind as Kind,
    actors,
    count: row.count,
    target: {
      type,
      id: toId(RESOURCES[type], target),
      title: row.title,
      ...(url !== undefined && { url }),
    },
    text: textOf(
      row,
      actors.map(({ display_name }) => display_name),
    ),
    created_at: row.created_at,
    read_at: row.read_at,
  }
}

/** What a notification is about, as it is shown: of a comment on feedback it is the item. */
function targetOf({ target_type, target_id, thread_id }: NotificationRow): { type: Target; target: string } {
  if (target_type === COMMENT_ON_FEEDBACK && thread_id !== null)
    return { type: 'feedback', target: thread_id }
  return { type: target_type as Target, target: target_id }
}

function addressOf(row: NotificationRow): string | undefined {
  if (row.link !== null) return row.link
  const { type, target } = targetOf(row)
  if (type === 'feedback') return linkTo(row.feedback_url, toId(feedbackId, target))
  if (row.thread_id !== null) return linkTo(row.discussion_url, toId(discussionId, row.thread_id))
  return undefined
}

/** An address of a project's own with an id in it; undefined where the project has none. */
export const linkTo = (template: string | null, id: string): string | undefined =>
  template?.replace('{id}', encodeURIComponent(id))
