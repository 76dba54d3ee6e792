import { type Static, Type } from 'typebox'
import { authorField } from '#areas/profiles/schema.ts'
import { nullable, strict, Timestamp } from '#platform/http/envelope.ts'
import { FeedbackId, MemberId } from '../schema.ts'

export const VoteOutcome = Type.Object(
  {
    voted: Type.Boolean({
      description: 'True if the vote of this member is counted for the item',
      examples: [true],
    }),
    vote_count: Type.Integer({
      description: 'The number of votes that are counted for the item',
      examples: [12],
    }),
  },
  { title: 'VoteOutcome' },
)

export const Voter = Type.Object(
  {
    member_id: MemberId('The member who voted'),
    feedback_id: {
      ...FeedbackId,
      description: 'The item for which the member voted: this item, or an item that was merged into it',
    },
    created_at: Timestamp({ description: 'When the member voted' }),
    ...authorField,
  },
  { title: 'Voter' },
)
export type Voter = Static<typeof Voter>

export const Merge = strict(
  {
    into: nullable({
      ...FeedbackId,
      description: 'The item that this item duplicates; null: it is no longer a duplicate',
    }),
  },
  { title: 'Merge', examples: [{ into: 'fb_01jcq3k8f7e8qtk4m3hbw7rn2h' }] },
)
