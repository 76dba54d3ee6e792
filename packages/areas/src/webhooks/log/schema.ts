import { type Static, Type } from 'typebox'
import { EventId, EventRecord, EventTypeName } from '#areas/events/schema.ts'
import { nullable, oneOf, pathId, strict, Timestamp } from '#platform/http/envelope.ts'
import { datesWhen, sortParameters } from '#platform/http/list-parameters.ts'
import { pageParameters } from '#platform/http/page.ts'
import { webhookTest } from '../events.ts'
import { deliveryId } from '../ids.ts'
import { EndpointId } from '../schema.ts'

export const DELIVERY_STATUSES = ['pending', 'sending', 'delivered', 'failed'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

export const DeliveryId = Type.String({
  description: 'The id of a delivery',
  examples: ['dlv_01jcq3k8f7e8qtk4m3hbw7rn2h'],
})
const HttpStatus = nullable(
  Type.Integer({
    description: 'The status that the endpoint answered; null if there was no answer',
    examples: [200],
  }),
)
const Fault = nullable(
  Type.String({
    description:
      'Why the attempt failed, if the status does not say it: `timeout`, `refused`, `unreachable`, `dns`, `tls`, `closed`, `malformed`, `blocked_address`, `body_too_large`, `network`, …',
    examples: [null],
  }),
)

/** An event that is sent to an endpoint. */
export const Delivery = Type.Object(
  {
    id: DeliveryId,
    endpoint_id: EndpointId,
    event_id: EventId,
    event_type: EventTypeName,
    status: oneOf(DELIVERY_STATUSES, {
      description:
        '`pending`: waits for its next attempt; `failed`: given up after ten attempts, or because the endpoint answered 410',
    }),
    attempt_count: Type.Integer({ examples: [1] }),
    last_status: HttpStatus,
    last_error: Fault,
    next_attempt_at: nullable(
      Timestamp({
        description:
          'The earliest time of the next attempt; null while it is being sent, and if no attempt is planned',
      }),
    ),
    created_at: Timestamp(),
    finished_at: nullable(Timestamp()),
  },
  { title: 'WebhookDelivery' },
)
export type Delivery = Static<typeof Delivery>

/** The delivery of a test. */
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
        description:
          'The first 16 KiB of the answer, as text. It comes from the endpoint: escape it when you show it',
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
    attempts: Type.Array(Attempt, { description: 'Attempts of the last 30 days, earliest first' }),
  },
  { title: 'WebhookDeliveryDetail' },
)
export type DeliveryDetail = Static<typeof DeliveryDetail>

export const ByDeliveryId = strict({ id: pathId(deliveryId, DeliveryId) })

export const DeliveryQuery = strict({
  ...pageParameters,
  status: Type.Optional(oneOf(DELIVERY_STATUSES, { description: 'Only deliveries with this status' })),
  event_type: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'Only deliveries of events of this type' }),
  ),
  ...datesWhen('are of events that happened'),
  ...sortParameters(['created_at'], { description: 'Deliveries are in the order of their events' }),
})
export type DeliveryQuery = Static<typeof DeliveryQuery>

export const StatsQuery = strict({
  hours: Type.Integer({
    minimum: 1,
    maximum: 720,
    default: 24,
    description: 'The number of hours, including the present one',
  }),
})

const count = (description: string) => Type.Integer({ description, examples: [1] })
const milliseconds = (description: string) => nullable(Type.Integer({ description, examples: [80] }))

export const Stats = Type.Object(
  {
    since: Timestamp(),
    until: Timestamp(),
    pending: count('The number of waiting deliveries'),
    oldest_due_at: nullable(
      Timestamp({ description: 'When the delivery that has waited longest could have been sent' }),
    ),
    delivered: count('The number of deliveries that succeeded'),
    failed: count('The number of failed deliveries, which are not retried'),
    attempts: count('The number of attempts'),
    failed_attempts: count('The number of attempts that failed'),
    success_rate: nullable(
      Type.Number({
        description: 'The share of attempts that succeeded, from 0 to 1; null if there were none',
        examples: [0.98],
      }),
    ),
    average_ms: milliseconds('The average duration of an attempt'),
    p50_ms: milliseconds('Half of the attempts were not longer than this, rounded up'),
    p95_ms: milliseconds('95 % of the attempts were not longer than this, rounded up'),
    hours: Type.Array(
      Type.Object({
        hour: Timestamp(),
        delivered: Type.Integer({ examples: [1] }),
        failed: Type.Integer({ examples: [0] }),
        failed_attempts: Type.Integer({ examples: [0] }),
      }),
      { description: 'Hours in which something was sent, oldest first' },
    ),
  },
  { title: 'WebhookStats' },
)
export type Stats = Static<typeof Stats>
