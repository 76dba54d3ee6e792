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
import { messageId, notificationId } from './ids.ts'
import type { Kind, Target } from './kinds.ts'
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

/** Rows as their member sees them, by the profiles of those who did it. */
export function shownWith(
  config: Pick<Config, 'BASE_URL' | 'SECRET_KEY'>,
  rows: readonly NotificationRow[],
): Ask<Notification[]> {
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

function toNotification(row: NotificationRow, actors: Notification['actors']): Notification {
  const type = row.target_type as Target
  const url = addressOf(row)
  return {
    id: toId(notificationId, row.id),
    kind: row.kind as Kind,
    actors,
    count: row.count,
    target: {
      type,
      id: toId(RESOURCES[type], row.target_id),
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

function addressOf(row: NotificationRow): string | undefined {
  if (row.link !== null) return row.link
  if (row.thread_id !== null) return linkTo(row.discussion_url, toId(discussionId, row.thread_id))
  if (row.target_type === 'feedback') return linkTo(row.feedback_url, toId(feedbackId, row.target_id))
  return undefined
}

/** An address of a project's own with an id in it; undefined where the project has none. */
export const linkTo = (template: string | null, id: string): string | undefined =>
  template?.replace('{id}', encodeURIComponent(id))
