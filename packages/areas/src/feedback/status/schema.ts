import { type Static, Type } from 'typebox'
import { includeOfPosts } from '#areas/profiles/schema.ts'
import { nullable, oneOf, strict, Timestamp } from '#platform/http/envelope.ts'
import { pageParameters } from '#platform/http/page.ts'
import { FEEDBACK_TYPES, FeedbackId, FeedbackItem, MemberId, STATUSES } from '../schema.ts'

const Note = Type.String({
  maxLength: 2000,
  description:
    'A note on the status in plain text. It is shown with the status, sent in mails, and shown in the changelog',
  examples: ['It is in your settings from today on'],
})
const Status = oneOf(STATUSES, { examples: ['done'] })

export const NewStatus = strict(
  {
    status: Status,
    note: Type.Optional(Note),
    notify_voters: Type.Optional(
      Type.Boolean({
        description: 'True sends a mail to the voters. Default: true if the status changes',
        examples: [true],
      }),
    ),
  },
  { title: 'NewStatus', examples: [{ status: 'done', note: 'It is in your settings from today on' }] },
)
export type NewStatus = Static<typeof NewStatus>

export const FeedbackStatusChange = Type.Object(
  {
    id: Type.String({
      description: 'The id of a change of status',
      examples: ['fbs_01jcq3k8f7e8qtk4m3hbw7rn2j'],
    }),
    previous_status: oneOf(STATUSES, { examples: ['planned'] }),
    status: Status,
    note: nullable(Note),
    notified_voters: Type.Boolean({ description: 'True if the voters got a mail', examples: [true] }),
    changed_by: nullable(MemberId('The moderator who changed the status; null if a key or an operator did')),
    created_at: Timestamp(),
  },
  { title: 'FeedbackStatusChange' },
)
export type FeedbackStatusChange = Static<typeof FeedbackStatusChange>

/** The columns of the roadmap, in their order. */
export const ROADMAP_STATUSES = ['planned', 'in_progress', 'done'] as const

export const RoadmapQuery = strict({
  type: Type.Optional(oneOf(FEEDBACK_TYPES, { description: 'Only items of this type' })),
  limit: Type.Integer({
    minimum: 1,
    maximum: 100,
    default: 20,
    description: 'The largest number of items of each status',
  }),
  include: includeOfPosts,
})
export type RoadmapQuery = Static<typeof RoadmapQuery>

export const RoadmapColumn = Type.Object(
  {
    status: oneOf(ROADMAP_STATUSES, { examples: ['planned'] }),
    total: Type.Integer({ description: 'The number of all public items with this status', examples: [1] }),
    items: Type.Array(FeedbackItem),
  },
  { title: 'RoadmapColumn' },
)

export const ChangelogEntry = Type.Object(
  {
    feedback_id: FeedbackId,
    type: FeedbackItem.properties.type,
    title: FeedbackItem.properties.title,
    message: FeedbackItem.properties.message,
    note: nullable(Note),
    vote_count: FeedbackItem.properties.vote_count,
    done_at: Timestamp({ description: 'When the status became `done`' }),
  },
  { title: 'ChangelogEntry' },
)
export type ChangelogEntry = Static<typeof ChangelogEntry>

export const ChangelogQuery = strict({
  ...pageParameters,
  type: Type.Optional(oneOf(FEEDBACK_TYPES, { description: 'Only items of this type' })),
})
export type ChangelogQuery = Static<typeof ChangelogQuery>
