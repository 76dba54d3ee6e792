import { type Static, Type } from 'typebox'
import { strict, Timestamp } from '#platform/http/envelope.ts'
import { MOST_TOPICS } from './topics.ts'

const Topic = Type.String({ minLength: 1, maxLength: 120, examples: ['notifications'] })

export const NewTicket = strict(
  {
    topics: Type.Array(Topic, {
      minItems: 1,
      maxItems: MOST_TOPICS,
      uniqueItems: true,
      description: 'The topics of the stream. `GET /stream` describes them',
    }),
  },
  { title: 'NewStreamTicket', examples: [{ topics: ['notifications', 'feedback'] }] },
)
export type NewTicket = Static<typeof NewTicket>

export const Ticket = Type.Object(
  {
    ticket: Type.String({
      description: 'Send it as `ticket` to `GET /stream`, once',
      examples: ['AZPDmJ4vf1CAdc8wG1Tc0pQmX1s7f3l3Jx0fXlO2rUeWb4bqK8zV6cTgR5nYh2Md'],
    }),
    expires_at: Timestamp({ description: 'A minute after it was made' }),
  },
  { title: 'StreamTicket' },
)
export type Ticket = Static<typeof Ticket>

export const StreamQuery = strict({
  ticket: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'A ticket, in place of the header `Authorization`',
      examples: ['AZPDmJ4vf1CAdc8wG1Tc0pQmX1s7f3l3Jx0fXlO2rUeWb4bqK8zV6cTgR5nYh2Md'],
    }),
  ),
  topics: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2_500,
      description: `The topics of the stream, at most ${MOST_TOPICS}, with commas between them. Required without a ticket; a ticket has its own`,
      examples: ['notifications,feedback'],
    }),
  ),
  last_event_id: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'The last `id` that you have got, if you cannot send the header `Last-Event-ID`: the stream continues after it',
      examples: ['1024'],
    }),
  ),
})
export type StreamQuery = Static<typeof StreamQuery>
