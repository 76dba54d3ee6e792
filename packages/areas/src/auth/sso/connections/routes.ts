import { limitReached } from '#platform/define-error.ts'
import type { Api } from '#platform/http/api.ts'
import { callerOf } from '#platform/http/caller.ts'
import { Deleted, deleted, envelope, listEnvelope } from '#platform/http/envelope.ts'
import { assertUnchanged, defineTag } from '#platform/http/etag.ts'
import { mapPage } from '#platform/http/page.ts'
import { connectionId } from '../../ids.ts'
import { ById, Connection, ConnectionChanges, ListQuery, NewConnection } from '../schema.ts'
import type { SsoTools } from '../tools.ts'
import {
  createConnection,
  deleteConnection,
  prepareChange,
  prepareConnection,
  updateConnection,
} from './connections.ts'
import { getConnection, listConnections } from './queries.ts'
import { toConnection } from './rows.ts'

const tags = ['Single sign-on']
/** The secret is not shown; a change of it shows in `updated_at`. */
const connectionTag = defineTag('sso_connections', ConnectionChanges, ['updated_at'])
const admin = { access: { secret: 'admin' } } as const

/** The endpoints for operators. */
export function connectionRoutes(api: Api, tools: SsoTools): void {
  listSsoConnectionsRoute(api, tools)
  createSsoConnectionRoute(api, tools)
  getSsoConnectionRoute(api, tools)
  updateSsoConnectionRoute(api, tools)
  deleteSsoConnectionRoute(api, tools)
}

function listSsoConnectionsRoute(api: Api, { places }: SsoTools): void {
  api.get(
    '/sso-connections',
    {
      config: admin,
      schema: {
        tags,
        operationId: 'listSsoConnections',
        summary: 'List SSO connections',
        description: 'The newest connection comes first. The answer has no secrets.',
        querystring: ListQuery,
        response: { 200: listEnvelope(Connection) },
      },
    },
    async (request) => {
      const { connections } = await request.read({ connections: listConnections(request.query) })
      return mapPage(connections, (row) => toConnection(row, places))
    },
  )
}

function createSsoConnectionRoute(api: Api, tools: SsoTools): void {
  api.post(
    '/sso-connections',
    {
      config: { ...admin, etag: connectionTag, errors: [limitReached] },
      schema: {
        tags,
        operationId: 'createSsoConnection',
        summary: 'Connect an OpenID or SAML provider',
        description:
          'The discovery document or the metadata of the provider is read and checked first. Afterwards allow `callback_url` at the provider. A SAML provider reads all that it needs from `service_metadata_url`.',
        body: NewConnection,
        response: { 201: envelope(Connection) },
      },
    },
    async (request) => {
      const row = await prepareConnection(tools, callerOf(request).projectId, request.body)
      return request.write((ctx) => createConnection(ctx, tools, row))
    },
  )
}

function getSsoConnectionRoute(api: Api, { places }: SsoTools): void {
  api.get(
    '/sso-connections/:id',
    {
      config: { ...admin, etag: connectionTag },
      schema: {
        tags,
        operationId: 'getSsoConnection',
        summary: 'Get an SSO connection',
        description: 'The answer has no secret.',
        params: ById,
        response: { 200: envelope(Connection) },
      },
    },
    async (request) => {
      const { connection } = await request.read({
        connection: getConnection({ id: request.params.id, places }),
      })
      return connection
    },
  )
}

function updateSsoConnectionRoute(api: Api, tools: SsoTools): void {
  const { places } = tools

  api.patch(
    '/sso-connections/:id',
    {
      config: { ...admin, etag: connectionTag },
      schema: {
        tags,
        operationId: 'updateSsoConnection',
        summary: 'Change an SSO connection',
        description:
          'Only the fields that are sent change; `domains` is replaced as a whole. A connection cannot change to another provider, because the users of that provider are other users: create another connection. If a SAML provider has new certificates, send its new metadata.',
        params: ById,
        body: ConnectionChanges,
        response: { 200: envelope(Connection) },
      },
    },
    async (request) => {
      const which = { id: request.params.id, places }
      // The row is checked first, so that no provider is called for a connection that does not exist.
      await request.read({ connection: getConnection(which) })
      const metadata = await prepareChange(tools, request.body)
      return request.write(async (ctx) => {
        await assertUnchanged(ctx, request, which, getConnection)
        return updateConnection(ctx, tools, which.id, request.body, metadata)
      })
    },
  )
}

function deleteSsoConnectionRoute(api: Api, { places }: SsoTools): void {
  api.delete(
    '/sso-connections/:id',
    {
      config: { ...admin, etag: connectionTag },
      schema: {
        tags,
        operationId: 'deleteSsoConnection',
        summary: 'Delete an SSO connection',
        description: 'Members and their sessions are kept. Their identities at the provider are deleted.',
        params: ById,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      const which = { id: request.params.id, places }
      await request.write(async (ctx) => {
        await assertUnchanged(ctx, request, which, getConnection)
        await deleteConnection(ctx, which.id)
      })
      return deleted(connectionId, which.id)
    },
  )
}
