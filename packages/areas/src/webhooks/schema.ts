import { type Static, Type } from 'typebox'
import { nullable, oneOf, pathId, strict, Timestamp, unsettable } from '#platform/http/envelope.ts'
import { createdParameters, searchIn, sortParameters } from '#platform/http/list-parameters.ts'
import { pageParameters } from '#platform/http/page.ts'
import { SIGNINGS } from './endpoints/signing.ts'
import { endpointId } from './ids.ts'

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
  description:
    'An https URL with a public address, port 443, 80 or a port from 1024 on, and without credentials',
  examples: ['https://example.com/hooks'],
})
const Description = Type.String({ maxLength: 500, examples: ['Keeps the newsletter in step'] })
const Events = Type.Array(Type.String({ maxLength: 100 }), {
  minItems: 1,
  maxItems: 100,
  uniqueItems: true,
  description: 'Types of events, groups like `form.*`, or `*` for all',
  examples: [['member.*', 'plan.created']],
})
const PayloadMode = oneOf(PAYLOADS, {
  description: 'The content of `data`: `full` is the object; `thin` is only its id and kind',
})
const Fifo = Type.Boolean({
  description:
    'True: deliveries are sent one at a time, in the order of events; a delivery that fails delays the later ones',
  examples: [false],
})
const RateLimit = Type.Integer({
  minimum: 1,
  maximum: 1000,
  description: 'The largest number of deliveries per second',
  examples: [50],
})
const SigningMode = oneOf(SIGNINGS, {
  description:
    '`hmac`: signatures `v1` with a shared secret; `ed25519`: signatures `v1a`, verified with a public key',
})
const Headers = Type.Unsafe<Record<string, string>>({
  type: 'object',
  maxProperties: 20,
  propertyNames: { pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$" },
  additionalProperties: { type: 'string', maxLength: 2000, pattern: '^([!-~]([\\t -~]*[!-~])?)?$' },
  description:
    'Headers that are sent with every delivery and never shown. Connection headers, `Host`, `Content-*` and `webhook-*` are not allowed',
  examples: [{ Authorization: 'Bearer 4fT9xQ2b' }],
})

/** What events say about an endpoint. */
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
      description: 'The names of the additional headers; their values are not shown',
      examples: [['Authorization']],
    }),
    signing: SigningMode,
    previous_secret_until: nullable(
      Timestamp({ description: 'Until this time the replaced secret signs too' }),
    ),
    disabled_at: nullable(
      Timestamp({ description: 'When the endpoint was disabled; later events were not delivered' }),
    ),
    disabled_reason: nullable(
      oneOf(['requested', 'gone', 'failing'], {
        description: '`gone`: the endpoint answered 410; `failing`: no delivery succeeded for five days',
      }),
    ),
    failing_since: nullable(
      Timestamp({ description: 'The time of the first failure after the last success' }),
    ),
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
    enabled: Type.Optional(Type.Boolean({ description: 'The same as /enable and /disable' })),
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
      description: 'The secret `whsec_…`, or the public key `whpk_…` of an Ed25519 endpoint',
      examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='],
    }),
  },
  { title: 'WebhookSecret' },
)

/** An endpoint in the two answers that show its secret. */
export const EndpointWithSecret = Type.Object(
  { ...Endpoint.properties, ...Secret.properties },
  { title: 'WebhookEndpointWithSecret' },
)
export type EndpointWithSecret = Static<typeof EndpointWithSecret>

export const RotateRequest = strict(
  { signing: Type.Optional(oneOf(SIGNINGS, { description: 'Default: the present one' })) },
  { title: 'RotateWebhookSecretRequest', examples: [{}] },
)

export const EnableRequest = strict(
  {
    recover_since: Type.Optional(
      Timestamp({
        description:
          'Also delivers events from this time on that the endpoint missed: those that were never sent to it, and those whose delivery was given up or waits for a retry. At most 30 days ago; `disabled_at` is a good choice. Without it, only waiting deliveries are sent, each when it is due',
      }),
    ),
  },
  { title: 'EnableWebhookRequest' },
)

export const RecoverRequest = strict(
  {
    since: Timestamp({ description: 'At most 30 days ago' }),
    until: Type.Optional(Timestamp({ description: 'Default: now' })),
  },
  { title: 'RecoverWebhookRequest' },
)
export type RecoverRequest = Static<typeof RecoverRequest>

export const Recovery = Type.Object(
  { id: EndpointId, since: Timestamp(), until: Timestamp() },
  { title: 'WebhookRecovery' },
)

export const ById = strict({ id: pathId(endpointId, EndpointId) })
export const ListQuery = strict({
  ...pageParameters,
  enabled: Type.Optional(Type.Boolean({ description: 'Only enabled endpoints, or only disabled ones' })),
  search: searchIn('the URL or the description'),
  ...createdParameters,
  ...sortParameters(['created_at']),
})
export type ListQuery = Static<typeof ListQuery>
