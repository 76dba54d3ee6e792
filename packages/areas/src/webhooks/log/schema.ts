import { type Static, Type } from 'typebox'
import { EventId, EventRecord, EventTypeName } from '#areas/events/schema.ts'
import { nullable, oneOf, strict, Timestamp } from '#platform/http/envelope.ts'
import { pageParameters } from '#platform/http/page.ts'
import { webhookTest } from '../events.ts'
import { EndpointId } from '../schema.ts'

export const DELIVERY_STATUSES = ['pending', 'sending', 'delivered', 'failed'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

export const DeliveryId = Type.String({
  description: 'The id of a delivery',
  examples: ['dlv_01jcq3k8f7e8qtk4m3hbw7rn2h'],
})
const HttpStatus = nullable(
  Type.Integer({ description: 'What the endpoint answered; null where no answer came', examples: [200] }),
)
const Fault = nullable(
  Type.String({
    description:
      'Why it failed where the status does not say it: `timeout`, `refused`, `unreachable`, `dns`, `tls`, `closed`, `malformed`, `blocked_address`, `body_too_large`, `network`, …',
    examples: [null],
  }),
)

/** An event on its way to an endpoint. */
export const Delivery = Type.Object(
  {
    id: DeliveryId,
    endpoint_id: EndpointId,
    event_id: EventId,
    event_type: EventTypeName,
    status: oneOf(DELIVERY_STATUSES, {
      description:
        '`pending`: waits for its next attempt; `failed`: given up after ten attempts, or by a 410',
    }),
    attempt_count: Type.Integer({ examples: [1] }),
    last_status: HttpStatus,
    last_error: Fault,
    next_attempt_at: nullable(
      Timestamp({ description: 'At the earliest; null while it is sent, and where nothing is planned' }),
    ),
    created_at: Timestamp(),
    finished_at: nullable(Timestamp()),
  },
  { title: 'WebhookDelivery' },
)
export type Delivery = Static<typeof Delivery>

/** The same, of a test. */
export const TestDelivery = Type.Object(
  {
    ...Delivery.properties,
    event_type: { ...EventTypeName, examples: [webhookTest.name] },
    attempt_count: Type.Integer({ examples: [0] }),
    last_status: { ...HttpStatus, examples: [null] },
    finished_at: { ...nullable(Timestamp()), examples: [null] },
  },
  { title: 'WebhookTestDelivery' },
)

const Attempt = Type.Object(
  {
    number: Type.Integer({ examples: [1] }),
    started_at: Timestamp(),
    duration_ms: Type.Integer({ examples: [112] }),
    status: HttpStatus,
    error: Fault,
    response_headers: Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string' },
      examples: [{ 'content-type': 'text/plain' }],
    }),
    response_body: nullable(
      Type.String({
        description: 'The first 16 KiB, as text. It is what the endpoint says: show it escaped',
        examples: ['ok'],
      }),
    ),
  },
  { title: 'WebhookAttempt' },
)
export type Attempt = Static<typeof Attempt>

export const DeliveryDetail = Type.Object(
  {
    ...Delivery.properties,
    event: EventRecord,
    attempts: Type.Array(Attempt, { description: 'Those of the last 30 days, the first one first' }),
  },
  { title: 'WebhookDeliveryDetail' },
)
export type DeliveryDetail = Static<typeof DeliveryDetail>

export const ByDeliveryId = strict({ id: DeliveryId })

export const DeliveryQuery = strict({
  ...pageParameters,
  status: Type.Optional(oneOf(DELIVERY_STATUSES, { description: 'Deliveries with this status only' })),
  event_type: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'Deliveries of events of this name only' }),
  ),
})
export type DeliveryQuery = Static<typeof DeliveryQuery>

export const StatsQuery = strict({
  hours: Type.Integer({
    minimum: 1,
    maximum: 720,
    default: 24,
    description: 'How far back, the running hour included',
  }),
})

const count = (description: string) => Type.Integer({ description, examples: [1] })
const milliseconds = (description: string) => nullable(Type.Integer({ description, examples: [80] }))

export const Stats = Type.Object(
  {
    since: Timestamp(),
    until: Timestamp(),
    pending: count('Deliveries that wait now'),
    oldest_due_at: nullable(
      Timestamp({ description: 'Since when the one that waits longest could be sent' }),
    ),
    delivered: count('Deliveries that succeeded'),
    failed: count('Deliveries that were given up'),
    attempts: count('Attempts in all'),
    failed_attempts: count('Attempts that did not succeed'),
    success_rate: nullable(
      Type.Number({ description: 'Of attempts, from 0 to 1; null where there was none', examples: [0.98] }),
    ),
    average_ms: milliseconds('Of an attempt'),
    p50_ms: milliseconds('Half of all attempts took at most this long, to the next bound of a coarse scale'),
    p95_ms: milliseconds('95 % of all attempts took at most this long, to the next bound of a coarse scale'),
    hours: Type.Array(
      Type.Object({
        hour: Timestamp(),
        delivered: Type.Integer({ examples: [1] }),
        failed: Type.Integer({ examples: [0] }),
        failed_attempts: Type.Integer({ examples: [0] }),
      }),
      { description: 'Hours in which anything was sent, the oldest first' },
    ),
  },
  { title: 'WebhookStats' },
)
export type Stats = Static<typeof Stats>
