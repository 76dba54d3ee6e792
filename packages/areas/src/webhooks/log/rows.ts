import { type EventRow, toEventRecord } from '#areas/events/service.ts'
import { toId } from '#platform/ids.ts'
import { deliveryId, endpointId } from '../ids.ts'
import type { Attempt, Delivery, DeliveryDetail } from './schema.ts'

/** The same with stored ids. */
type DeliveryRow = Delivery

interface AttemptRow extends Omit<Attempt, 'response_headers'> {
  response_headers: unknown
}

export const toDelivery = (row: DeliveryRow): Delivery => ({
  ...row,
  id: toId(deliveryId, row.id),
  endpoint_id: toId(endpointId, row.endpoint_id),
  event_id: toId('event', row.event_id),
})

export function toDeliveryDetail(
  { payload, occurred_at, ...row }: DeliveryRow & Pick<EventRow, 'payload' | 'occurred_at'>,
  attempts: AttemptRow[],
): DeliveryDetail {
  return {
    ...toDelivery(row),
    event: toEventRecord({ id: row.event_id, type: row.event_type, payload, occurred_at }),
    attempts: attempts.map((attempt) => ({
      ...attempt,
      response_headers: (attempt.response_headers ?? {}) as Record<string, string>,
    })),
  }
}
