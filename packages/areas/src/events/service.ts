import { toId } from '#platform/ids.ts'
import type { EventRecord } from './schema.ts'

export interface EventRow {
  id: string
  type: string
  payload: unknown
  occurred_at: string
}

/** An event as the log and deliveries show it. */
export const toEventRecord = ({ id, type, payload, occurred_at }: EventRow): EventRecord => ({
  id: toId('event', id),
  type,
  timestamp: occurred_at,
  data: payload,
})
