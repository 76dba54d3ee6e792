import { typesForViewers } from '#areas/events/service.ts'
import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { isViewer } from '#platform/http/caller.ts'
import { envelope, listEnvelope } from '#platform/http/envelope.ts'
import { getEndpoint } from '../endpoints/queries.ts'
import { sendAgain, sendTest } from '../endpoints/service.ts'
import { endpointIsDisabled } from '../errors.ts'
import { ById } from '../schema.ts'
import { getDelivery, listAttempts, listDeliveries } from './queries.ts'
import { toDelivery, toDeliveryDetail } from './rows.ts'
import {
  ByDeliveryId,
  Delivery,
  DeliveryDetail,
  DeliveryQuery,
  Stats,
  StatsQuery,
  TestDelivery,
} from './schema.ts'
import { countWaiting, listHours, toStats } from './stats.ts'

const admin = { access: { secret: 'admin' } } as const

/** The log of deliveries, and sending again. */
export function deliveryRoutes(api: Api, deps: Pick<AreaDeps, 'catalogue'>): void {
  testWebhookEndpointRoute(api)
  listWebhookDeliveriesRoute(api)
  getWebhookStatsRoute(api)
  getWebhookDeliveryRoute(api, deps)
  retryWebhookDeliveryRoute(api)
}

function testWebhookEndpointRoute(api: Api): void {
  api.post(
    '/webhooks/:id/test',
    {
      config: { oneTransaction: true, ...admin, errors: [endpointIsDisabled] },
      schema: {
        operationId: 'testWebhookEndpoint',
        repeatCosts: true,
        summary: 'Send a test',
        description:
          'Sends `webhook.test` to this endpoint, whatever its `events` are. Get the delivery to see the result.',
        params: ById,
        response: { 200: envelope(TestDelivery) },
      },
    },
    async (request) => {
      const { id } = request.params
      return toDelivery(await request.write((ctx) => sendTest(ctx, id)))
    },
  )
}

function listWebhookDeliveriesRoute(api: Api): void {
  api.get(
    '/webhooks/:id/deliveries',
    {
      config: admin,
      schema: {
        operationId: 'listWebhookDeliveries',
        summary: 'List deliveries',
        description: 'Deliveries of the last 30 days, newest event first.',
        params: ById,
        querystring: DeliveryQuery,
        response: { 200: listEnvelope(Delivery) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { deliveries } = await request.read({
        endpoint: getEndpoint({ id }),
        deliveries: listDeliveries({ ...request.query, endpoint_id: id }),
      })
      return deliveries
    },
  )
}

function getWebhookStatsRoute(api: Api): void {
  api.get(
    '/webhooks/:id/stats',
    {
      config: { ...admin, reads: 'replica' },
      schema: {
        operationId: 'getWebhookStats',
        summary: 'Count deliveries and attempts',
        description: 'The counts are by hour, for at most 30 days.',
        params: ById,
        querystring: StatsQuery,
        response: { 200: envelope(Stats) },
      },
    },
    async (request) => {
      const { id } = request.params
      const values = { endpointId: id, hours: request.query.hours }
      const { hours, waiting } = await request.read({
        endpoint: getEndpoint({ id }),
        hours: listHours(values),
        waiting: countWaiting(values),
      })
      return toStats(hours, waiting)
    },
  )
}

function getWebhookDeliveryRoute(api: Api, { catalogue }: Pick<AreaDeps, 'catalogue'>): void {
  api.get(
    '/webhooks/deliveries/:id',
    {
      config: admin,
      schema: {
        operationId: 'getWebhookDelivery',
        summary: 'Get a delivery',
        description:
          'The answer has the event, and for every attempt its time, its duration and the answer of the endpoint. `data` of an event that says how a member logs in is empty for a viewer.',
        params: ByDeliveryId,
        response: { 200: envelope(DeliveryDetail) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { delivery, attempts } = await request.read({
        delivery: getDelivery({ id }),
        attempts: listAttempts({ deliveryId: id }),
      })
      const isShown = !isViewer(request) || typesForViewers(catalogue).includes(delivery.event_type)
      return toDeliveryDetail(isShown ? delivery : { ...delivery, payload: {} }, attempts)
    },
  )
}

function retryWebhookDeliveryRoute(api: Api): void {
  api.post(
    '/webhooks/deliveries/:id/retry',
    {
      config: { ...admin, oneTransaction: true },
      schema: {
        operationId: 'retryWebhookDelivery',
        repeatCosts: true,
        summary: 'Send a delivery again',
        description:
          'The delivery is sent now. If it fails, it is retried by the whole schedule. A delivery that succeeded is sent once more, with the same `webhook-id`. A delivery that is being sent now does not change.',
        params: ByDeliveryId,
        response: { 200: envelope(Delivery) },
      },
    },
    async (request) => {
      const { id } = request.params
      return toDelivery(await request.write((ctx) => sendAgain(ctx, id)))
    },
  )
}
