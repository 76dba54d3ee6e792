import type { Selectable } from 'kysely'
import type { DB } from '#platform/db/tables.generated.ts'
import { toId } from '#platform/ids.ts'
import type { Lane } from '#platform/jobs/queues/lanes.ts'
import { DELIVER } from '../delivery/fan-out.ts'
import { endpointId } from '../ids.ts'
import type { Endpoint } from '../schema.ts'

/** What queries for endpoints read: everything but what is sealed, and what only senders need. */
export const endpointColumns = [
  'id',
  'url',
  'description',
  'events',
  'enabled',
  'payload',
  'fifo',
  'rate_limit',
  'header_names',
  'signing',
  'disabled_at',
  'disabled_reason',
  'failing_since',
  'lane',
  'created_at',
  'updated_at',
] as const

export type EndpointRow = Pick<
  Selectable<DB['webhook_endpoints']>,
  (typeof endpointColumns)[number] | 'previous_secret_until'
>

export const toEndpoint = ({ lane, ...row }: EndpointRow): Endpoint => ({
  ...row,
  id: toId(endpointId, row.id),
  payload: row.payload as Endpoint['payload'],
  signing: row.signing as Endpoint['signing'],
  disabled_reason: row.disabled_reason as Endpoint['disabled_reason'],
})

/** The key by which senders to an endpoint are signaled. */
export const signalFor = ({ id, lane }: Pick<EndpointRow, 'id' | 'lane'>) => ({
  lane: lane as Lane,
  consumer: DELIVER,
  key: id,
})
