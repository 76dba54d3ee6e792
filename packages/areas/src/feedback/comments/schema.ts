import { type Static, Type } from 'typebox'
import { authorField } from '#areas/profiles/schema.ts'
import { attachmentsField, attachmentsInput, filesField } from '#areas/storage/schema.ts'
import { nullable, oneOf, pathId, strict, Timestamp } from '#platform/http/envelope.ts'
import { Truncated } from '#platform/http/page.ts'
import { commentId } from '../ids.ts'
import { FeedbackId, MemberId, moderationField, VISIBILITIES } from '../schema.ts'

const Content = Type.String({
  minLength: 1,
  maxLength: 10_000,
  description: 'Markdown',
  examples: ['We hope to have it in **March**'],
})
const isOfficial = { description: 'True for a comment in the name of the team', examples: [true] }
const visibility = { description: '`private`: seen by secret keys and moderators only', examples: ['public'] }

/** What events say about a comment: of members, ids alone. */
export const FeedbackCommentData = Type.Object(
  {
    id: Type.String({
      description: 'The id of a comment on feedback',
      examples: ['fbc_01jcq3k8f7e8qtk4m3hbw7rn2k'],
    }),
    feedback_id: FeedbackId,
    content: Content,
    content_html: Type.String({
      description: 'The content as HTML that is safe to show in any page',
      examples: ['<p>We hope to have it in <strong>March</strong></p>\n'],
    }),
    author_id: nullable(
      MemberId('The member who wrote the comment; null if it was written in the name of the team only'),
    ),
    official: Type.Boolean(isOfficial),
    visibility: oneOf(VISIBILITIES, visibility),
    ...moderationField,
    ...attachmentsField,
    created_at: Timestamp(),
    truncated: Truncated,
  },
  { title: 'FeedbackCommentData' },
)
const viewer = Type.Object(
  {
    muted: Type.Boolean({
      description: 'True if the member has muted the author; lists then leave out the content',
      examples: [false],
    }),
  },
  { description: 'In lists: the comment, as the member of the token relates to it' },
)
export const FeedbackComment = Type.Object(
  {
    ...FeedbackCommentData.properties,
    // Empty in lists for whoever has muted the author.
    content: Type.String({ description: 'Markdown', examples: ['We hope to have it in **March**'] }),
    viewer: Type.Optional(viewer),
    ...authorField,
    ...filesField,
  },
  { title: 'FeedbackComment' },
)
export type FeedbackComment = Static<typeof FeedbackComment>

export const ByComment = strict({ id: pathId(commentId, FeedbackComment.properties.id) })

export const NewFeedbackComment = strict(
  {
    content: Content,
    author_id: Type.Optional(MemberId('The member who writes. A key can omit it for an official comment')),
    official: Type.Optional(Type.Boolean(isOfficial)),
    visibility: Type.Optional(oneOf(VISIBILITIES, visibility)),
    ...attachmentsInput,
  },
  { title: 'NewFeedbackComment', examples: [{ content: 'We hope to have it in **March**', official: true }] },
)
export type NewFeedbackComment = Static<typeof NewFeedbackComment>
