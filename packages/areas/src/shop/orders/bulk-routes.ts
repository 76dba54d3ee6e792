import type { Api } from '#platform/http/api.ts'
import { assertFieldsOfActions, bulkRequest, bulkResult, doEach } from '#platform/http/bulk.ts'
import { envelope, oneOf, strict } from '#platform/http/envelope.ts'
import { orderId } from '../ids.ts'
import { lockOrder } from './queries.ts'
import { OrderId } from './schema.ts'
import { cancelOrder, completeOrder, fulfillOrder } from './service.ts'
import { Reason, Shipment } from './verb-routes.ts'

const Operation = strict(
  {
    id: OrderId,
    action: oneOf(['fulfill', 'complete', 'cancel'], {
      description: 'The act, which is done as by its own request',
      examples: ['fulfill'],
    }),
    ...Shipment.properties,
    ...Reason.properties,
  },
  {
    title: 'BulkOrderOperation',
    description: '`fulfill` can have `tracking_number` and `tracking_url`; `cancel` can have `reason`',
    examples: [{ id: 'ord_01jcq3k8f7e8qtk4m3hbw7rn2v', action: 'fulfill', tracking_number: '1Z999' }],
  },
)
const FIELDS = {
  fulfill: { takes: ['tracking_number', 'tracking_url'] },
  complete: {},
  cancel: { takes: ['reason'] },
} as const

export function orderBulkRoutes(api: Api): void {
  changeOrdersInBulkRoute(api)
}

function changeOrdersInBulkRoute(api: Api): void {
  api.post(
    '/orders/bulk',
    {
      config: { access: { secret: 'write:commerce' } },
      schema: {
        operationId: 'changeOrdersInBulk',
        sdk: 'orders.changeInBulk',
        summary: 'Fulfill, complete or cancel many orders',
        description:
          'Up to 100 orders are changed one after the other, each as by its own request. Each succeeds or fails on its own, and the answer has a result for each. If a field does not belong to its action, the whole request is refused.',
        body: bulkRequest(Operation, 'BulkOrders'),
        response: { 200: envelope(bulkResult(OrderId, 'BulkOrdersResult')) },
      },
    },
    async (request) => {
      const { operations } = request.body
      assertFieldsOfActions(operations, FIELDS)
      return doEach(operations, orderId, (id, { action, reason, ...shipment }) =>
        request.write(async (ctx) => {
          if (action === 'fulfill') await fulfillOrder(ctx, id, shipment)
          else if (action === 'complete') await completeOrder(ctx, id)
          else await cancelOrder(ctx, await lockOrder(ctx, { id }), 'by_operator', reason)
        }),
      )
    },
  )
}
