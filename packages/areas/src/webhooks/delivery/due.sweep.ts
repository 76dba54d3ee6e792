import { isResting } from '#platform/db/resting.ts'
import type { Lane } from '#platform/jobs/queues/lanes.ts'
import { defineSweep } from '#platform/jobs/queues/work-signal.ts'
import { DELIVER } from './fan-out.ts'

const earliest = (isRetry: boolean) => `(
  select greatest(d.due_at, d.lease_until) as at from webhook_deliveries d
  where d.project_id = e.project_id and d.endpoint_id = e.id and d.is_retry = ${isRetry} and d.due_at is not null
    and (d.lease_until is null or d.lease_until <= now())
  order by d.due_at limit 1)`

/**
 * Endpoints with a delivery that is due, or will be within the given time. It reads only the first delivery of each
 * endpoint, so that a million due deliveries cost no more than one. The order is random, so that endpoints that are
 * always due do not hide others.
 */
const DUE = `
  select e.project_id, e.id, e.lane, (extract(epoch from due.at - now()) * 1000)::float8 as wait
  from webhook_endpoints e, lateral (
    select greatest(min(heads.at), case when e.fifo then e.blocked_until end) as at
    from (${earliest(false)} union all ${earliest(true)}) as heads
    having min(heads.at) is not null
  ) as due
  where e.enabled and not ${isResting('e.project_id')} and due.at <= now() + $1 * interval '1 millisecond'
  order by random() limit $2`

/** How far ahead is looked: as long as the longest pause between two sweeps. */
const AHEAD_MS = 5_000

/** Finds endpoints with due deliveries and without a signal. */
export const dueDeliveries = defineSweep({
  name: DELIVER,
  find: async (client, limit) => {
    const { rows } = await client.query<{ project_id: string; id: string; lane: Lane; wait: number }>({
      name: 'sweep_webhooks',
      text: DUE,
      values: [AHEAD_MS, limit],
    })
    return rows.map(({ project_id: projectId, id: key, lane, wait }) => ({
      lane,
      consumer: DELIVER,
      projectId,
      key,
      delay: wait,
    }))
  },
})
