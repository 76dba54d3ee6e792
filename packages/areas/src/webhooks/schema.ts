import { type Static, Type } from 'typebox'
import { nullable, oneOf, strict, Timestamp, unsettable } from '#platform/http/envelope.ts'
import { pageParameters } from '#platform/http/page.ts'
import { SIGNINGS } from './endpoints/signing.ts'

export const PAYLOADS = ['full', 'thin'] as const
export type Payload = (typeof PAYLOADS)[number]

/** What secrets and headers of endpoints are sealed for. */
export const SEALED_FOR = 'webhook endpoints'

export const EndpointId = Type.String({
  description: 'The id of a webhook endpoint',
  examples: ['whe_01jcq3k8f7e8qtk4m3hbw7rn2g'],
})
const Url = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'https, a public address, port 443, 80 or one from 1024 on, no credentials',
  examples: ['https://example.com/hooks'],
})
const Description = Type.String({ maxLength: 500, examples: ['Keeps the newsletter in step'] })
const Events = Type.Array(Type.String({ maxLength: 100 }), {
  minItems: 1,
  maxItems: 100,
  uniqueItems: true,
  description: 'Names of events, `noun.*`, or `*` for all',
  examples: [['member.*', 'plan.created']],
})
const PayloadMode = oneOf(PAYLOADS, {
  description: 'What `data` carries: `thin` is the id and the type only',
})
const Fifo = Type.Boolean({
  description: 'One at a time, in the order of events; a delivery that fails holds up those behind it',
  examples: [false],
})
const RateLimit = Type.Integer({
  minimum: 1,
  maximum: 1000,
  description: 'Sends per second at the most',
  examples: [50],
})
const SigningMode = oneOf(SIGNINGS, {
  description: '`hmac`: v1, a shared secret; `ed25519`: v1a, verified with a public key',
})
const Headers = Type.Unsafe<Record<string, string>>({
  type: 'object',
  maxProperties: 20,
  propertyNames: { pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$" },
  additionalProperties: { type: 'string', maxLength: 2000, pattern: '^([!-~]([\\t -~]*[!-~])?)?$' },
  description:
    'Sent with every delivery, and never shown again. Not those of the connection, `Host`, `Content-*` and `webhook-*`',
  examples: [{ Authorization: 'Bearer 4fT9xQ2b' }],
})

/** What events tell of an endpoint. */
export const EndpointSummary = Type.Object({ id: EndpointId, url: Url })

export const Endpoint = Type.Object(
  {
    ...EndpointSummary.properties,
    description: Description,
    events: Events,
    enabled: Type.Boolean({ examples: [true] }),
    payload: PayloadMode,
    fifo: Fifo,
    rate_limit: nullable(RateLimit),
    header_names: Type.Array(Type.String(), {
      description: 'Names of its own headers; their values are not shown',
      examples: [['Authorization']],
    }),
    signing: SigningMode,
    previous_secret_until: nullable(Timestamp({ description: 'Until then, a replaced secret signs too' })),
    disabled_at: nullable(Timestamp({ description: 'What happened since then was not delivered' })),
    disabled_reason: nullable(
      oneOf(['requested', 'gone', 'failing'], {
        description: '`gone`: it answered 410; `failing`: nothing succeeded for five days',
      }),
    ),
    failing_since: nullable(Timestamp({ description: 'The first failure after the last success' })),
    created_at: Timestamp(),
    updated_at: Timestamp(),
  },
  { title: 'WebhookEndpoint' },
)
export type Endpoint = Static<typeof Endpoint>

export const NewEndpoint = strict(
  {
    url: Url,
    events: Events,
    description: Type.Optional(Description),
    enabled: Type.Optional(Type.Boolean({ default: true })),
    payload: Type.Optional(PayloadMode),
    fifo: Type.Optional(Fifo),
    rate_limit: Type.Optional(nullable(RateLimit)),
    headers: Type.Optional(Headers),
    signing: Type.Optional(SigningMode),
  },
  { title: 'NewWebhookEndpoint', examples: [{ url: 'https://example.com/hooks', events: ['member.*'] }] },
)
export type NewEndpoint = Static<typeof NewEndpoint>

export const EndpointChanges = strict(
  {
    url: Type.Optional(Url),
    events: Type.Optional(Events),
    description: Type.Optional(unsettable(Description)),
    enabled: Type.Optional(Type.Boolean({ description: 'As /enable and /disable do' })),
    payload: Type.Optional(PayloadMode),
    fifo: Type.Optional(Fifo),
    rate_limit: Type.Optional(nullable(RateLimit)),
    headers: Type.Optional(Headers),
  },
  { title: 'WebhookEndpointChanges', examples: [{ events: ['*'], rate_limit: 50 }] },
)
export type EndpointChanges = Static<typeof EndpointChanges>

export const Secret = Type.Object(
  {
    secret: Type.String({
      description: '`whsec_…`, or of an Ed25519 endpoint the public key `whpk_…`: what to verify with',
      examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='],
    }),
  },
  { title: 'WebhookSecret' },
)

export const RotateRequest = strict(
  { signing: Type.Optional(oneOf(SIGNINGS, { description: 'Where omitted, as before' })) },
  { title: 'RotateWebhookSecretRequest', examples: [{}] },
)

export const EnableRequest = strict(
  {
    recover_since: Type.Optional(
      Timestamp({
        description:
          'Deliver also what was missed or failed from then on, at most 30 days back; `disabled_at` is a good choice. Without it, only what was waiting goes on',
      }),
    ),
  },
  { title: 'EnableWebhookRequest' },
)

export const RecoverRequest = strict(
  {
    since: Timestamp({ description: 'At most 30 days back' }),
    until: Type.Optional(Timestamp({ description: 'Where omitted, now' })),
  },
  { title: 'RecoverWebhookRequest' },
)
export type RecoverRequest = Static<typeof RecoverRequest>

export const Recovery = Type.Object(
  { id: EndpointId, since: Timestamp(), until: Timestamp() },
  { title: 'WebhookRecovery' },
)

export const ById = strict({ id: EndpointId })
export const ListQuery = strict(pageParameters)
export type ListQuery = Static<typeof ListQuery>
