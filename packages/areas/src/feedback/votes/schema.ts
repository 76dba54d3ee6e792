import { type Static, Type } from 'typebox'
import { nullable, strict, Timestamp } from '#platform/http/envelope.ts'
import { FeedbackId, MemberId } from '../schema.ts'

export const VoteOutcome = Type.Object(
  {
    voted: Type.Boolean({ description: 'Whether this member’s vote is counted for it', examples: [true] }),
    vote_count: Type.Integer({ description: 'Votes that are counted for it', examples: [12] }),
  },
  { title: 'VoteOutcome' },
)

export const Voter = Type.Object(
  {
    member_id: MemberId('The member'),
    feedback_id: {
      ...FeedbackId,
      description: 'The item that the vote was given to: this one, or one merged into it',
    },
    created_at: Timestamp({ description: 'When the vote was given' }),
  },
  { title: 'Voter' },
)
export type Voter = Static<typeof Voter>

export const Merge = strict(
  {
    into: nullable({
      ...FeedbackId,
      description: 'The item that it is a duplicate of; null: it is not a duplicate any more',
    }),
  },
  { title: 'Merge', examples: [{ into: 'fb_01jcq3k8f7e8qtk4m3hbw7rn2h' }] },
)
