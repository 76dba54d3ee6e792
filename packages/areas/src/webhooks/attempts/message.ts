import { toId } from '#platform/ids.ts'
import type { Signer } from '../endpoints/signing.ts'
import type { Payload } from '../schema.ts'

/** An event as it is sent. */
export interface Sendable {
  readonly eventId: string
  readonly eventType: string
  /** ISO 8601. */
  readonly occurredAt: string
  /** The data of the event, as JSON. */
  readonly payload: string
}

/** What of an endpoint shapes its messages. */
export interface Recipient {
  readonly payload: Payload
  /** One, or two while a rotation overlaps. */
  readonly signers: readonly Signer[]
  readonly headers: Readonly<Record<string, string>>
  /** The W3C trace context of this attempt, where traces are made. */
  readonly traceparent?: string | null
}

export interface Message {
  readonly headers: Record<string, string>
  readonly body: string
}

/**
 * A message of Standard Webhooks 1.0.0.
 * @param now milliseconds since 1970: the time of this attempt, which receivers hold against their own clocks
 */
export function makeMessage(event: Sendable, recipient: Recipient, now: number): Message {
  const { payload, signers, headers, traceparent } = recipient
  const data = payload === 'full' ? event.payload : thin(event)
  const body = `{"type":${JSON.stringify(event.eventType)},"timestamp":"${event.occurredAt}","data":${data}}`
  const id = toId('event', event.eventId)
  const timestamp = String(Math.floor(now / 1_000))
  const signed = `${id}.${timestamp}.${body}`
  return {
    body,
    headers: {
      'user-agent': 'Guildhall-Webhooks/1.0',
      ...(traceparent && { traceparent }),
      ...lowerCased(headers),
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signers.map((sign) => sign(signed)).join(' '),
    },
  }
}

/** Of `member.created`, the id of the member and `member`. */
function thin({ eventType, payload }: Sendable): string {
  const { id } = JSON.parse(payload) as { id?: unknown }
  return JSON.stringify({ id, type: eventType.slice(0, eventType.lastIndexOf('.')) })
}

const lowerCased = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
