import type { FastifyRequest } from 'fastify'
import type { Api } from '#platform/http/api.ts'
import { envelope } from '#platform/http/envelope.ts'
import { toId } from '#platform/ids.ts'
import { endpointIsDisabled } from '../errors.ts'
import { endpointId } from '../ids.ts'
import {
  ById,
  EnableRequest,
  Endpoint,
  EndpointWithSecret,
  RecoverRequest,
  Recovery,
  RotateRequest,
  Secret,
} from '../schema.ts'
import { endpointTag } from './queries.ts'
import { type EndpointTools, recoverRange, rotateSecret, showSecret, switchOff, switchOn } from './service.ts'

const admin = { access: { secret: 'admin' } } as const

/** A body whose fields are all optional may be left out. A request with the content type of JSON must have one. */
const allowNoBody = async (request: FastifyRequest) => {
  if (request.headers['content-type'] === undefined) request.body ??= {}
}

/** What can be done with an endpoint besides changing it. */
export function verbRoutes(api: Api, tools: EndpointTools): void {
  getWebhookSecretRoute(api, tools)
  rotateWebhookSecretRoute(api, tools)
  enableWebhookEndpointRoute(api)
  disableWebhookEndpointRoute(api)
  recoverWebhookEndpointRoute(api)
}

function getWebhookSecretRoute(api: Api, tools: EndpointTools): void {
  api.get(
    '/webhooks/:id/secret',
    {
      config: { ...admin, hiddenFromViewers: true },
      schema: {
        operationId: 'getWebhookSecret',
        summary: 'Get the signing secret',
        description:
          'The secret with which deliveries are verified. For an Ed25519 endpoint it is the public key. The audit log has who asked for it.',
        params: ById,
        response: { 200: envelope(Secret) },
      },
    },
    async (request) => {
      const { id } = request.params
      return request.write((ctx) => showSecret(ctx, tools, id))
    },
  )
}

function rotateWebhookSecretRoute(api: Api, tools: EndpointTools): void {
  api.post(
    '/webhooks/:id/rotate-secret',
    {
      config: { ...admin, oneTransaction: true },
      preValidation: allowNoBody,
      schema: {
        operationId: 'rotateWebhookSecret',
        repeatCosts: true,
        summary: 'Replace the signing secret',
        description:
          'For 24 hours deliveries have the signatures of both secrets, the new one first. The answer has the new secret.',
        params: ById,
        body: RotateRequest,
        response: { 200: envelope(EndpointWithSecret) },
      },
    },
    async (request) => {
      const { id } = request.params
      return request.write((ctx) => rotateSecret(ctx, tools, id, request.body.signing))
    },
  )
}

function enableWebhookEndpointRoute(api: Api): void {
  api.post(
    '/webhooks/:id/enable',
    {
      config: { ...admin, oneTransaction: true, etag: endpointTag },
      preValidation: allowNoBody,
      schema: {
        operationId: 'enableWebhookEndpoint',
        summary: 'Enable a webhook endpoint',
        description:
          'Waiting deliveries are sent when they are due. With `recover_since`, the endpoint also gets the events that it missed, as with `/recover`.',
        params: ById,
        body: EnableRequest,
        response: { 200: envelope(Endpoint) },
      },
    },
    async (request) => {
      const { id } = request.params
      return request.write((ctx) => switchOn(ctx, id, request.body.recover_since))
    },
  )
}

function disableWebhookEndpointRoute(api: Api): void {
  api.post(
    '/webhooks/:id/disable',
    {
      config: { ...admin, oneTransaction: true, etag: endpointTag },
      schema: {
        operationId: 'disableWebhookEndpoint',
        summary: 'Disable a webhook endpoint',
        description: 'From now on, events are not stored for the endpoint. Waiting deliveries keep waiting.',
        params: ById,
        response: { 200: envelope(Endpoint) },
      },
    },
    async (request) => {
      const { id } = request.params
      return request.write((ctx) => switchOff(ctx, id))
    },
  )
}

function recoverWebhookEndpointRoute(api: Api): void {
  api.post(
    '/webhooks/:id/recover',
    {
      config: { oneTransaction: true, ...admin, errors: [endpointIsDisabled] },
      schema: {
        operationId: 'recoverWebhookEndpoint',
        repeatCosts: true,
        summary: 'Send missed events to an endpoint',
        description:
          'Sends the events of this time that the endpoint missed: events that were never sent to it, failed deliveries, and deliveries that wait for a retry. Delivered events are not sent again.',
        params: ById,
        body: RecoverRequest,
        response: { 200: envelope(Recovery) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { since, until = new Date().toISOString() } = request.body
      await request.write((ctx) => recoverRange(ctx, id, since, until))
      return { id: toId(endpointId, id), since, until }
    },
  )
}
