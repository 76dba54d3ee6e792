import { Type } from 'typebox'
import { defineEvent } from '#platform/events/emit.ts'
import { exampleOf } from '#platform/http/example.ts'
import { FeedbackCommentData } from './comments/schema.ts'
import { FeedbackData, FeedbackId } from './schema.ts'
import { FeedbackStatusChange } from './status/schema.ts'

const item = exampleOf(FeedbackData)

export const feedbackCreated = defineEvent({
  name: 'feedback.created',
  description: 'An item of feedback was created',
  data: FeedbackData,
  example: item,
  member: ({ user_id }) => user_id ?? null,
})
export const feedbackUpdated = defineEvent({
  name: 'feedback.updated',
  description: 'The title, message, type, visibility or metadata of an item changed',
  data: FeedbackData,
  example: item,
  member: ({ user_id }) => user_id ?? null,
})

const Changed = Type.Object(
  { ...FeedbackData.properties, change: FeedbackStatusChange },
  { title: 'FeedbackStatusChanged' },
)
export const feedbackStatusChanged = defineEvent({
  name: 'feedback.status_changed',
  description: 'The status of an item changed, or the note of the status',
  data: Changed,
  example: exampleOf(Changed),
  member: ({ user_id }) => user_id ?? null,
})
export const feedbackMerged = defineEvent({
  name: 'feedback.merged',
  description: 'An item was marked as a duplicate of the item in `merged_into`',
  data: FeedbackData,
  example: { ...item, status: 'duplicate' },
  member: ({ user_id }) => user_id ?? null,
})

const Unmerged = Type.Object(
  { ...FeedbackData.properties, unmerged_from: FeedbackId },
  { title: 'FeedbackUnmerged' },
)
export const feedbackUnmerged = defineEvent({
  name: 'feedback.unmerged',
  description: 'An item is no longer a duplicate; it has its earlier status and votes',
  data: Unmerged,
  example: exampleOf(Unmerged),
  member: ({ user_id }) => user_id ?? null,
})
export const feedbackDeleted = defineEvent({
  name: 'feedback.deleted',
  description:
    'An item was deleted with its votes and comments, or a moderator removed it; items that were merged into it are separate items again',
  data: Type.Object({ id: FeedbackId }),
  example: { id: 'fb_01jcq3k8f7e8qtk4m3hbw7rn2g' },
  member: () => null,
})
const RemovedComment = Type.Object({
  id: FeedbackCommentData.properties.id,
  feedback_id: FeedbackCommentData.properties.feedback_id,
  author_id: FeedbackCommentData.properties.author_id,
})
export const feedbackCommentRemoved = defineEvent({
  name: 'feedback.comment_removed',
  description: 'A comment on an item, or a private note, was deleted, or a moderator removed the comment',
  data: RemovedComment,
  example: exampleOf(RemovedComment),
  member: ({ author_id }) => author_id,
})
export const feedbackCommented = defineEvent({
  name: 'feedback.commented',
  description: 'A comment on an item, or a private note, was written',
  data: FeedbackCommentData,
  example: exampleOf(FeedbackCommentData),
  member: ({ author_id }) => author_id,
})
