import { type Static, Type } from 'typebox'
import { nullable, oneOf, pathId, strict, Timestamp } from '#platform/http/envelope.ts'
import { OPERATOR_ROLES } from '#platform/operators/operators-project.ts'

const KeyId = Type.String({
  description: 'The id of an API key',
  examples: ['key_01jcq3k8f7e8qtk4m3hbw7rn2f'],
})

/** A key as it is listed: never the key itself. */
export const ApiKeyRecord = Type.Object(
  {
    id: KeyId,
    name: Type.String({ examples: ['Backend'] }),
    type: oneOf(['public', 'secret']),
    prefix: Type.String({
      description: 'The first characters of the key',
      examples: ['svc_sk_live_4fT9xQ2b'],
    }),
    permissions: Type.Optional(
      Type.Array(Type.String(), {
        description: 'The permissions of a secret key; empty for a public key',
        examples: [['read:members']],
      }),
    ),
    capabilities: Type.Optional(
      Type.Array(Type.String(), {
        description: 'The capabilities of a public key; empty for a secret key',
        examples: [['auth']],
      }),
    ),
    allowed_ips: Type.Array(Type.String(), {
      description: 'Addresses and ranges that may use the key; empty: every address may',
      examples: [[]],
    }),
    allowed_origins: Type.Array(Type.String(), {
      description: 'Origins that may use the key; empty: the allowed origins of the project',
      examples: [[]],
    }),
    created_by: nullable(Type.String({ examples: ['operator'] })),
    created_at: Timestamp(),
    expires_at: nullable(Timestamp()),
    revoked_at: nullable(Timestamp()),
    last_used_at: nullable(Timestamp({ description: 'Updated every few seconds while the key is used' })),
  },
  { title: 'ApiKey' },
)
export type ApiKeyRecord = Static<typeof ApiKeyRecord>

const Environment = oneOf(['live', 'test'])
const { id, type, capabilities } = ApiKeyRecord.properties

const RateLimit = Type.Integer({ description: 'Requests per minute', examples: [300] })
const Audience = Type.String({
  description: 'The `aud` of access tokens of members in this environment, for servers that verify them',
  examples: ['proj_01jcq3k8f7e8qtk4m3hbw7rn2c'],
})

export const Self = Type.Union(
  [
    Type.Object({
      ...ApiKeyRecord.properties,
      environment: Environment,
      rate_limit: RateLimit,
      token_audience: Audience,
    }),
    // Every visitor of a site can ask.
    Type.Object({ id, type, environment: Environment, capabilities }, { additionalProperties: false }),
    Type.Object(
      {
        id: Type.String({
          description: 'The id of the operator',
          examples: ['op_01jcq3k8f7e8qtk4m3hbw7rn2f'],
        }),
        type: Type.Literal('operator', { description: 'The token of an operator' }),
        environment: Environment,
        role: oneOf(OPERATOR_ROLES, { description: 'The role of the operator in the project' }),
        rate_limit: RateLimit,
        token_audience: Audience,
        expires_at: Timestamp({ description: 'When the token expires' }),
      },
      { additionalProperties: false },
    ),
  ],
  {
    title: 'OwnApiKey',
    description:
      'The key of the request. A public key gets only id, type, environment and capabilities; the token of an operator gets who it is of',
  },
)

/** A key at the one time it is shown. */
export const RotatedKey = Type.Object(
  {
    ...ApiKeyRecord.properties,
    key: Type.String({
      description: 'The key; it is shown only in this answer',
      examples: ['svc_sk_live_4fT9xQ2b…'],
    }),
  },
  { title: 'RotatedApiKey' },
)

export const RotateRequest = strict(
  {
    grace_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 604_800,
        default: 0,
        description: 'How many seconds the old key still works',
      }),
    ),
  },
  { title: 'RotateRequest' },
)

export const ById = strict({ id: pathId('API key', KeyId) })
