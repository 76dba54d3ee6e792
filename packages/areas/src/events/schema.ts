import { type Static, Type } from 'typebox'
import { envelopeOf, nullable, strict, Timestamp } from '#platform/http/envelope.ts'
import { datesWhen, sortParameters } from '#platform/http/list-parameters.ts'
import { pageParameters, Truncated } from '#platform/http/page.ts'

export const EventId = Type.String({
  description: 'The id of an event; deliveries send it as `webhook-id`',
  examples: ['evt_01jcq3k8f7e8qtk4m3hbw7rn2j'],
})
export const EventTypeName = Type.String({ examples: ['member.created'] })

/** An event as it is sent in full, and as the log shows it. */
export const EventRecord = Type.Object(
  {
    id: EventId,
    type: EventTypeName,
    timestamp: Timestamp({ description: 'When the event happened' }),
    data: Type.Unsafe<unknown>({
      type: 'object',
      additionalProperties: true,
      description: 'The object of the event; GET /api/v1/webhooks/event-types has the schema',
      examples: [{ id: 'plan_01jcq3k8f7e8qtk4m3hbw7rn2e' }],
    }),
    truncated: Truncated,
  },
  { title: 'Event' },
)
export type EventRecord = Static<typeof EventRecord>

const EventTypeFilter = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'Only events of this type, or of a group like `form.*`; an unknown type is refused',
    examples: ['member.created'],
  }),
)

export const EventQuery = strict({
  after: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'The id of the last event that you know, such as a `webhook-id`. Default: the list starts with the oldest event',
    }),
  ),
  type: EventTypeFilter,
  limit: Type.Integer({
    minimum: 1,
    maximum: 100,
    default: 100,
    description: 'The largest number of events in the answer',
  }),
})
export type EventQuery = Static<typeof EventQuery>

export const MemberEventQuery = strict({
  ...pageParameters,
  type: EventTypeFilter,
  ...datesWhen('happened'),
  ...sortParameters(['timestamp']),
})
export type MemberEventQuery = Static<typeof MemberEventQuery>

export const EventPage = envelopeOf(
  {
    data: Type.Array(EventRecord),
    pagination: Type.Object(
      {
        limit: Type.Integer({ examples: [100] }),
        has_more: Type.Boolean({ examples: [false] }),
        next_after: nullable(
          Type.String({
            description:
              'Send it as `after` to get the next events, now or later; null if there is no event at all',
            examples: ['evt_01jcq3k8f7e8qtk4m3hbw7rn2j'],
          }),
        ),
      },
      { title: 'EventCursor' },
    ),
  },
  { title: 'EventPage' },
)

export const EventTypeRecord = Type.Object(
  {
    name: EventTypeName,
    description: Type.String({ examples: ['A member was created'] }),
    schema: Type.Unsafe<unknown>({
      type: 'object',
      additionalProperties: true,
      description: 'The JSON Schema of the whole message',
      examples: [{ type: 'object' }],
    }),
    example: Type.Unsafe<unknown>({
      type: 'object',
      additionalProperties: true,
      description: 'An example of the message',
      examples: [{ type: 'member.created', timestamp: '2026-11-21T09:00:00.000Z', data: {} }],
    }),
  },
  { title: 'EventType' },
)
export type EventTypeRecord = Static<typeof EventTypeRecord>
