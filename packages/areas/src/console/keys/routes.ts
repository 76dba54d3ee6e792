import { Type } from 'typebox'
import { createKey, listKeys, revokeKey, rotateKey } from '#areas/api-keys/service.ts'
import { limitReached } from '#platform/define-error.ts'
import type { AreaDeps } from '#platform/deps.ts'
import { invalidField } from '#platform/errors.ts'
import type { Api } from '#platform/http/api.ts'
import { Deleted, deleted, envelope } from '#platform/http/envelope.ts'
import { operatorOf } from '#platform/http/server/console-request.ts'
import { toId } from '#platform/ids.ts'
import { ByProject } from '../schema.ts'
import { openSide } from '../service.ts'
import { ApiKeyRecord, ByKey, KeysQuery, NewKey, RotateKey, ShownKey } from './schema.ts'

const tags = ['Keys']
const admin = { access: { operator: 'admin' } } as const

export function keyRoutes(api: Api, deps: AreaDeps): void {
  listKeysRoute(api, deps)
  createKeyRoute(api, deps)
  rotateProjectKeyRoute(api, deps)
  revokeProjectKeyRoute(api, deps)
}

function listKeysRoute(api: Api, deps: AreaDeps): void {
  api.get(
    '/projects/:id/keys',
    {
      config: { access: { operator: 'viewer' } },
      schema: {
        tags,
        operationId: 'listKeys',
        summary: 'List the API keys of one side',
        description: 'All keys, newest first. The secret part of a key is never shown.',
        params: ByProject,
        querystring: KeysQuery,
        response: { 200: envelope(Type.Array(ApiKeyRecord)) },
      },
    },
    async (request) => {
      const data = await openSide(request, deps, request.query.environment)
      return (await data.read({ keys: listKeys() })).keys
    },
  )
}

function createKeyRoute(api: Api, deps: AreaDeps): void {
  api.post(
    '/projects/:id/keys',
    {
      config: { ...admin, errors: [limitReached] },
      schema: {
        tags,
        operationId: 'createKey',
        summary: 'Create an API key',
        description: 'The key is shown only in this answer.',
        params: ByProject,
        body: NewKey,
        response: { 201: envelope(ShownKey) },
      },
    },
    async (request) => {
      const { environment, permissions, capabilities, ...others } = request.body
      if (others.expires_at !== undefined && Date.parse(others.expires_at) <= Date.now())
        throw invalidField('expires_at', 'future', 'must be later than now')
      const [unfit, field] =
        others.type === 'secret' ? [capabilities, 'capabilities'] : [permissions, 'permissions']
      if (unfit !== undefined && unfit.length > 0)
        throw invalidField(String(field), 'type', `are not for a ${others.type} key`)
      const data = await openSide(request, deps, environment)
      const asked = {
        ...others,
        ...(permissions && { permissions }),
        ...(capabilities && { capabilities }),
        created_by: toId('operator', operatorOf(request).id),
      }
      return data.write((ctx) => createKey(ctx, environment, asked, deps.catalogue.permissions))
    },
  )
}

function rotateProjectKeyRoute(api: Api, deps: AreaDeps): void {
  api.post(
    '/projects/:id/keys/:key/rotate',
    {
      config: { ...admin, errors: [limitReached] },
      schema: {
        tags,
        operationId: 'rotateProjectKey',
        summary: 'Replace a key with a new one',
        description:
          'The new key has the same rights. It is shown only in this answer. The old key works for `grace_seconds` more.',
        params: ByKey,
        querystring: KeysQuery,
        body: RotateKey,
        response: { 201: envelope(ShownKey) },
      },
    },
    async (request) => {
      const { environment } = request.query
      const data = await openSide(request, deps, environment)
      const { key } = request.params
      return data.write((ctx) => rotateKey(ctx, environment, key, request.body.grace_seconds ?? 0))
    },
  )
}

function revokeProjectKeyRoute(api: Api, deps: AreaDeps): void {
  api.delete(
    '/projects/:id/keys/:key',
    {
      config: admin,
      schema: {
        tags,
        operationId: 'revokeProjectKey',
        summary: 'Revoke a key',
        description: 'The key stops working everywhere within a second.',
        params: ByKey,
        querystring: KeysQuery,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      const data = await openSide(request, deps, request.query.environment)
      const { key } = request.params
      await data.write((ctx) => revokeKey(ctx, key))
      return deleted('API key', key)
    },
  )
}
