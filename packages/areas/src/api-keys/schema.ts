import { type Static, Type } from 'typebox'
import { nullable, oneOf, strict, Timestamp } from '#platform/http/envelope.ts'

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
    prefix: Type.String({ description: 'The leading part of the key', examples: ['svc_sk_live_4fT9xQ2b'] }),
    permissions: Type.Optional(
      Type.Array(Type.String(), { description: 'Of secret keys', examples: [['read:members']] }),
    ),
    capabilities: Type.Optional(
      Type.Array(Type.String(), { description: 'Of public keys', examples: [['auth']] }),
    ),
    allowed_ips: Type.Array(Type.String(), { description: 'Empty: every address', examples: [[]] }),
    allowed_origins: Type.Array(Type.String(), { description: "Empty: the project's", examples: [[]] }),
    created_by: nullable(Type.String({ examples: ['operator'] })),
    created_at: Timestamp(),
    expires_at: nullable(Timestamp()),
    revoked_at: nullable(Timestamp()),
    last_used_at: nullable(Timestamp({ description: 'Recorded every few seconds' })),
  },
  { title: 'ApiKey' },
)
export type ApiKeyRecord = Static<typeof ApiKeyRecord>

const Environment = oneOf(['live', 'test'])
const { id, type, capabilities } = ApiKeyRecord.properties

export const Self = Type.Union(
  [
    Type.Object({
      ...ApiKeyRecord.properties,
      environment: Environment,
      rate_limit: Type.Integer({ description: 'Requests per minute', examples: [300] }),
      token_audience: Type.String({
        description: "`aud` of members' access tokens in this environment, for those who verify them",
        examples: ['proj_01jcq3k8f7e8qtk4m3hbw7rn2c'],
      }),
    }),
    // Every visitor of a site can ask.
    Type.Object({ id, type, environment: Environment, capabilities }, { additionalProperties: false }),
  ],
  { title: 'OwnApiKey', description: 'A public key learns its id, type, environment and capabilities alone' },
)

/** A key at the one time it is shown. */
export const RotatedKey = Type.Object(
  {
    ...ApiKeyRecord.properties,
    key: Type.String({ description: 'Shown this once', examples: ['svc_sk_live_4fT9xQ2b…'] }),
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
        description: 'How many seconds the old key goes on working',
      }),
    ),
  },
  { title: 'RotateRequest' },
)

export const ById = strict({ id: KeyId })
