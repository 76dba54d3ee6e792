import { audit } from '#platform/audit.ts'
import { limitReached } from '#platform/define-error.ts'
import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { callerOf } from '#platform/http/caller.ts'
import { Deleted, deleted, envelope, listEnvelope } from '#platform/http/envelope.ts'
import { assertUnchanged } from '#platform/http/etag.ts'
import { toId } from '#platform/ids.ts'
import { makeProjectBox } from '#platform/secrets/project-box.ts'
import { deleteEndpoint, endpointTag, getEndpoint, listEndpoints } from './endpoints/queries.ts'
import { createEndpoint, type EndpointTools, prepareEndpoint, updateEndpoint } from './endpoints/service.ts'
import { verbRoutes } from './endpoints/verb-routes.ts'
import { endpointId } from './ids.ts'
import { deliveryRoutes } from './log/routes.ts'
import {
  ById,
  Endpoint,
  EndpointChanges,
  EndpointWithSecret,
  ListQuery,
  NewEndpoint,
  SEALED_FOR,
} from './schema.ts'

/** The values of headers are not shown; a change of them shows in `updated_at`. */
const admin = { access: { secret: 'admin' } } as const

export function webhookRoutes(api: Api, deps: AreaDeps): void {
  const { config, catalogue } = deps
  const tools = { box: makeProjectBox(config, SEALED_FOR), rules: config, events: catalogue.events }

  listWebhookEndpointsRoute(api)
  createWebhookEndpointRoute(api, tools)
  getWebhookEndpointRoute(api)
  updateWebhookEndpointRoute(api, tools)
  deleteWebhookEndpointRoute(api)
  verbRoutes(api, tools)
  deliveryRoutes(api, deps)
}

function listWebhookEndpointsRoute(api: Api): void {
  api.get(
    '/webhooks',
    {
      config: admin,
      schema: {
        operationId: 'listWebhookEndpoints',
        summary: 'List webhook endpoints',
        description: 'The newest endpoint comes first. The answer has no secrets.',
        querystring: ListQuery,
        response: { 200: listEnvelope(Endpoint) },
      },
    },
    async (request) => {
      const { endpoints } = await request.read({ endpoints: listEndpoints(request.query) })
      return endpoints
    },
  )
}

function createWebhookEndpointRoute(api: Api, tools: EndpointTools): void {
  api.post(
    '/webhooks',
    {
      config: { oneTransaction: true, ...admin, etag: endpointTag, errors: [limitReached] },
      schema: {
        operationId: 'createWebhookEndpoint',
        summary: 'Create a webhook endpoint',
        description:
          'Events are sent to the endpoint from now on. The answer has the secret; `GET /api/v1/webhooks/{id}/secret` answers it again.',
        body: NewEndpoint,
        response: { 201: envelope(EndpointWithSecret) },
      },
    },
    async (request) => {
      const row = prepareEndpoint(tools, callerOf(request).projectId, request.body)
      return request.write((ctx) => createEndpoint(ctx, tools, row))
    },
  )
}

function getWebhookEndpointRoute(api: Api): void {
  api.get(
    '/webhooks/:id',
    {
      config: { ...admin, etag: endpointTag },
      schema: {
        operationId: 'getWebhookEndpoint',
        summary: 'Get a webhook endpoint',
        description: 'The answer has no secret and no values of headers.',
        params: ById,
        response: { 200: envelope(Endpoint) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { endpoint } = await request.read({ endpoint: getEndpoint({ id }) })
      return endpoint
    },
  )
}

function updateWebhookEndpointRoute(api: Api, tools: EndpointTools): void {
  api.patch(
    '/webhooks/:id',
    {
      config: { ...admin, etag: endpointTag },
      schema: {
        operationId: 'updateWebhookEndpoint',
        summary: 'Change a webhook endpoint',
        description: 'Only the fields that are sent change; lists and headers are replaced as a whole.',
        params: ById,
        body: EndpointChanges,
        response: { 200: envelope(Endpoint) },
      },
    },
    async (request) => {
      const { id } = request.params
      return request.write(async (ctx) => {
        await assertUnchanged(ctx, request, { id }, getEndpoint)
        return updateEndpoint(ctx, tools, id, request.body)
      })
    },
  )
}

function deleteWebhookEndpointRoute(api: Api): void {
  api.delete(
    '/webhooks/:id',
    {
      config: { ...admin, etag: endpointTag },
      schema: {
        operationId: 'deleteWebhookEndpoint',
        summary: 'Delete a webhook endpoint',
        description: 'Nothing more is sent to the endpoint, and its deliveries are deleted.',
        params: ById,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      const { id } = request.params
      await request.write(async (ctx) => {
        await assertUnchanged(ctx, request, { id }, getEndpoint)
        const before = await deleteEndpoint(ctx, { id })
        audit(ctx, { action: 'webhook.delete', target: toId(endpointId, id), before })
      })
      return deleted(endpointId, id)
    },
  )
}
