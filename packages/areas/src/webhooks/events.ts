import { Type } from 'typebox'
import { defineEvent } from '#platform/events/emit.ts'
import { nullable, Timestamp } from '#platform/http/envelope.ts'
import { EndpointId, EndpointSummary } from './schema.ts'

const endpoint = { id: 'whe_01jcq3k8f7e8qtk4m3hbw7rn2g', url: 'https://example.com/hooks' }
const failing_since = '2026-11-21T09:00:00.000Z'

export const endpointFailing = defineEvent({
  name: 'webhook.endpoint.failing',
  description:
    'An endpoint is failing: no delivery has succeeded for 50, 70 or 90 % of the five days after which it is disabled',
  data: Type.Object({
    ...EndpointSummary.properties,
    failing_since: Timestamp(),
    percent: Type.Integer({ description: '50, 70 or 90', examples: [50] }),
    disabled_at: Timestamp({ description: 'When the endpoint is disabled, unless a delivery succeeds' }),
  }),
  example: { ...endpoint, failing_since, percent: 50, disabled_at: '2026-11-26T09:00:00.000Z' },
  member: () => null,
})

export const endpointDisabled = defineEvent({
  name: 'webhook.endpoint.disabled',
  description: 'An endpoint was disabled, because it answered 410 or no delivery succeeded for five days',
  data: Type.Object({
    ...EndpointSummary.properties,
    reason: Type.String({ description: '`gone` or `failing`', examples: ['failing'] }),
    failing_since: nullable(Timestamp()),
  }),
  example: { ...endpoint, reason: 'failing', failing_since },
  member: () => null,
})

export const webhookTest = defineEvent({
  name: 'webhook.test',
  description: 'Somebody tests an endpoint. It is sent to that endpoint only, whatever its `events` are',
  data: Type.Object({
    id: EndpointId,
    message: Type.String({ examples: ['It works'] }),
  }),
  example: { id: endpoint.id, message: 'It works' },
  member: () => null,
})
