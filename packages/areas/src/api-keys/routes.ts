import { Type } from 'typebox'
import { limitReached } from '#platform/define-error.ts'
import type { Api } from '#platform/http/api.ts'
import { environmentOf, keyOf } from '#platform/http/caller.ts'
import { Deleted, deleted, envelope } from '#platform/http/envelope.ts'
import { OPERATOR_LIMIT } from '#platform/http/server/console-access.ts'
import { toId } from '#platform/ids.ts'
import type { OperatorToken } from '#platform/tokens/operator-token.ts'
import { getKey, listKeys } from './queries.ts'
import { ApiKeyRecord, ById, RotatedKey, RotateRequest, Self } from './schema.ts'
import { revokeKey, rotateKey } from './service.ts'

const admin = { access: { secret: 'admin' } } as const

export function apiKeyRoutes(api: Api): void {
  listApiKeysRoute(api)
  getOwnApiKeyRoute(api)
  rotateApiKeyRoute(api)
  revokeApiKeyRoute(api)
}

function listApiKeysRoute(api: Api): void {
  api.get(
    '/api-keys',
    {
      config: admin,
      schema: {
        operationId: 'listApiKeys',
        summary: 'List API keys',
        description: 'All keys, newest first. The secret part of a key is never shown.',
        response: { 200: envelope(Type.Array(ApiKeyRecord)) },
      },
    },
    async (request) => {
      const { keys } = await request.read({ keys: listKeys() })
      return keys
    },
  )
}

function getOwnApiKeyRoute(api: Api): void {
  api.get(
    '/api-keys/self',
    {
      config: { access: { secret: 'any', public: 'any' } },
      schema: {
        operationId: 'getOwnApiKey',
        summary: 'Get the key of this request',
        description:
          'The answer has the rights of the key, its environment, its rate limit, and the `aud` of the access tokens of members. With a public key the answer has only id, type, environment and capabilities. With the token of an operator it has who that is, and the role.',
        response: { 200: envelope(Self) },
      },
    },
    async (request) => {
      if (request.operator) return operatorShown(request.operator)
      const key = keyOf(request)
      if (key.type === 'public') {
        const { publicId: id, type, environment, capabilities } = key
        return { id, type, environment, capabilities: [...capabilities] }
      }
      const { record } = await request.read({ record: getKey({ id: key.id }) })
      const token_audience = toId('project', key.projectId)
      return { ...record, environment: key.environment, rate_limit: key.limits.key, token_audience }
    },
  )
}

/** An operator has no key: the token itself says who it is of. */
const operatorShown = ({ operatorId, projectId, environment, role, expiresAt }: OperatorToken) => ({
  id: toId('operator', operatorId),
  type: 'operator' as const,
  environment,
  role,
  rate_limit: OPERATOR_LIMIT,
  token_audience: toId('project', projectId),
  expires_at: new Date(expiresAt).toISOString(),
})

function rotateApiKeyRoute(api: Api): void {
  api.post(
    '/api-keys/:id/rotate',
    {
      config: { ...admin, oneTransaction: true, errors: [limitReached] },
      schema: {
        operationId: 'rotateApiKey',
        summary: 'Replace a key with a new one',
        description:
          'The new key has the same rights. It is shown only in this answer. The old key works for `grace_seconds` more.',
        params: ById,
        body: RotateRequest,
        response: { 201: envelope(RotatedKey) },
      },
    },
    async (request) => {
      const { id } = request.params
      const environment = environmentOf(request)
      return request.write((ctx) => rotateKey(ctx, environment, id, request.body.grace_seconds ?? 0))
    },
  )
}

function revokeApiKeyRoute(api: Api): void {
  api.delete(
    '/api-keys/:id',
    {
      config: admin,
      schema: {
        operationId: 'revokeApiKey',
        summary: 'Revoke a key',
        description: 'The key stops working everywhere within a second. A revoked key cannot be restored.',
        params: ById,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      const { id } = request.params
      await request.write((ctx) => revokeKey(ctx, id))
      return deleted('API key', id)
    },
  )
}
