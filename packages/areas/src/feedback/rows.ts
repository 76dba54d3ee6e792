import { foldMuted } from '#areas/moderation/service.ts'
import { byAuthor } from '#areas/profiles/service.ts'
import { withFiles } from '#areas/storage/service.ts'
import { isStaff, type Viewer } from '#platform/http/viewer.ts'
import { toId } from '#platform/ids.ts'
import { type MaybeTruncated, shownTruncated } from '#platform/lists/fit-page.ts'
import { beginningOf } from '#platform/markdown/mentions.ts'
import { statusOf } from './access.ts'
import { feedbackId } from './ids.ts'
import type { Feedback, FeedbackData, FeedbackItem } from './schema.ts'

/** What every query for items reads. */
export const itemColumns = [
  'id',
  'type',
  'title',
  'message',
  'email',
  'author_id',
  'metadata',
  'visibility',
  'shown_as',
  'state',
  'status_note',
  'merged_into',
  'vote_count',
  'attachments',
  'created_at',
  'updated_at',
] as const

export interface ItemRow {
  id: string
  type: string
  title: string | null
  message: string
  email: string | null
  author_id: string | null
  metadata: unknown
  visibility: string
  /** What it is when others see it, of one that waits or was removed. */
  shown_as: string | null
  state: string
  status_note: string | null
  merged_into: string | null
  vote_count: number
  attachments: readonly string[]
  created_at: string
  updated_at: string
}

/** What is read for a member beside it. */
export interface SeenRow extends ItemRow {
  voted: boolean
  /** Whether what it is merged into is private. */
  merged_into_private: boolean
}

/** Characters of the beginning of a message that items show. */
const EXCERPT = 300

/** The public ids of the files of an item. */
export const fileIds = ({ attachments }: Pick<ItemRow, 'attachments'>): string[] =>
  attachments.map((file) => toId('file', file))

/** Of what others do not see: why. */
export const moderationOf = (row: Pick<ItemRow, 'visibility' | 'shown_as'>) => {
  const status = statusOf(row)
  return status === 'visible' ? {} : { moderation_status: status }
}

const base = (row: ItemRow) => ({
  id: toId(feedbackId, row.id),
  type: row.type as FeedbackItem['type'],
  ...(row.title !== null && { title: row.title }),
  message: row.message,
  visibility: (row.shown_as ?? row.visibility) as FeedbackItem['visibility'],
  ...moderationOf(row),
  status: row.state as FeedbackItem['status'],
  status_note: row.status_note,
  merged_into: row.merged_into === null ? null : toId(feedbackId, row.merged_into),
  vote_count: row.vote_count,
  attachments: fileIds(row),
  created_at: row.created_at,
  updated_at: row.updated_at,
})

/** What events tell. */
export const toItemData = (row: ItemRow): FeedbackData => ({
  ...base(row),
  ...(row.author_id !== null && { user_id: toId('member', row.author_id) }),
  metadata: row.metadata as Record<string, unknown>,
})

/** An item as somebody sees it. @param muted of a list: the stored ids of senders whom the viewer has muted */
export function toItem(
  row: SeenRow & MaybeTruncated,
  viewer: Viewer,
  muted?: readonly string[],
): FeedbackItem {
  const author = row.author_id === null ? null : toId('member', row.author_id)
  const item = {
    ...shownTo(viewer, row),
    excerpt: beginningOf(row.message, EXCERPT),
    ...shownTruncated(row),
  }
  if (muted === undefined || item.viewer === undefined) return byAuthor(author, item)
  const isMuted = row.author_id !== null && muted.includes(row.author_id)
  return byAuthor(author, foldMuted({ ...item, viewer: { ...item.viewer, muted: isMuted } }))
}

function shownTo(viewer: Viewer, row: SeenRow): Omit<FeedbackItem, 'excerpt'> {
  const own = viewer.memberId === null ? {} : { viewer: { voted: row.voted } }
  if (viewer.isKey) return { ...toItemData(row), ...(row.email !== null && { email: row.email }), ...own }
  const shown = base(row)
  if (isStaff(viewer)) {
    const sender = row.author_id === null ? {} : { user_id: toId('member', row.author_id) }
    return { ...shown, ...sender, ...own }
  }
  return { ...shown, merged_into: row.merged_into_private ? null : shown.merged_into, ...own }
}

/** What is answered to whoever sent an item in. */
export const toFeedback = (row: ItemRow): Feedback =>
  withFiles(row.attachments, {
    id: toId(feedbackId, row.id),
    type: row.type as Feedback['type'],
    ...(row.title !== null && { title: row.title }),
    message: row.message,
    ...(row.email !== null && { email: row.email }),
    status: row.state as Feedback['status'],
    ...moderationOf(row),
    created_at: row.created_at,
  })
