import { type Static, Type } from 'typebox'
import { nullable, strict, Timestamp } from '#platform/http/envelope.ts'
import { pageParameters } from '#platform/http/page.ts'

export const EventId = Type.String({
  description: 'The id of an event; deliveries carry it as `webhook-id`',
  examples: ['evt_01jcq3k8f7e8qtk4m3hbw7rn2j'],
})
export const EventTypeName = Type.String({ examples: ['member.created'] })

/** An event as it is sent in full, and as the log shows it. */
export const EventRecord = Type.Object(
  {
    id: EventId,
    type: EventTypeName,
    timestamp: Timestamp({ description: 'When it happened' }),
    data: Type.Unsafe<unknown>({
      type: 'object',
      additionalProperties: true,
      description: 'The object that it is about; GET /api/v1/webhooks/event-types has the schema',
      examples: [{ id: 'plan_01jcq3k8f7e8qtk4m3hbw7rn2e' }],
    }),
  },
  { title: 'Event' },
)
export type EventRecord = Static<typeof EventRecord>

const EventTypeFilter = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'Events of this type only, or of a group like `form.*`; an unknown type is refused',
    examples: ['member.created'],
  }),
)

export const EventQuery = strict({
  after: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'The id of the last event that is known, such as a `webhook-id`; where omitted, from the beginning',
    }),
  ),
  type: EventTypeFilter,
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 100, description: 'Events at the most' }),
})
export type EventQuery = Static<typeof EventQuery>

export const MemberEventQuery = strict({
  ...pageParameters,
  type: EventTypeFilter,
})
export type MemberEventQuery = Static<typeof MemberEventQuery>

export const EventPage = Type.Object(
  {
    success: Type.Literal(true),
    data: Type.Array(EventRecord),
    pagination: Type.Object(
      {
        limit: Type.Integer({ examples: [100] }),
        has_more: Type.Boolean({ examples: [false] }),
        next_after: nullable(
          Type.String({
            description: 'What to ask for next, now or later; null only where there is no event at all',
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
      description: 'JSON Schema of the whole message',
      examples: [{ type: 'object' }],
    }),
    example: Type.Unsafe<unknown>({
      type: 'object',
      additionalProperties: true,
      description: 'A message that fits it',
      examples: [{ type: 'member.created', timestamp: '2026-11-21T09:00:00.000Z', data: {} }],
    }),
  },
  { title: 'EventType' },
)
export type EventTypeRecord = Static<typeof EventTypeRecord>
