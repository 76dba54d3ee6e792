import type { Pool } from 'pg'
import { notFound } from '#platform/errors.ts'
import { parseId } from '#platform/ids.ts'

/** What one environment has used in a month. */
export interface UsedInMonth {
  /** Requests with a key or a token that was right, refused ones included. */
  readonly requests: number
  /** Members who were logged in at some time of the month. */
  readonly active_members: number
  /** The most bytes of files at a time. */
  readonly storage_bytes: number
  /** Mails that were sent. */
  readonly mails: number
  /** Webhook messages that were delivered. */
  readonly deliveries: number
  /** Events that were emitted. */
  readonly events: number
}

export interface MonthOfUsage {
  /** `2026-11`, in UTC. */
  readonly month: string
  readonly live: UsedInMonth
  readonly test: UsedInMonth
}

const NAMES = ['requests', 'active_members', 'storage_bytes', 'mails', 'deliveries', 'events'] as const
const NONE = Object.fromEntries(NAMES.map((name) => [name, 0])) as unknown as UsedInMonth

type Row = UsedInMonth & { month: string; side: string }

const USAGE = `
  select to_char(day, 'YYYY-MM') as month, side, sum(requests)::bigint as requests, max(active_members) as active_members,
    max(storage_bytes) as storage_bytes, sum(mails)::bigint as mails, sum(deliveries)::bigint as deliveries,
    sum(events)::bigint as events
  from project_usage where side = any ($1) group by 1, 2 order by 1 desc`

/** Both sides of a project, which may have been removed. */
const SIDES = `
  select live_id, test_id from project_removals where live_id = $1
  union
  select live.id, test.id from projects live join projects test on test.live_id = live.id and test.environment = 'test'
  where live.id = $1 and live.environment = 'live'`

/**
 * What a project has used by months, the newest first. Requests are there within seconds, all else within an hour. Months are
 * kept for two years, also after the project was removed.
 * @param operators a pool that logs in as guildhall_operator
 * @throws ApiError 404
 */
export async function usageOf(operators: Pool, id: string): Promise<MonthOfUsage[]> {
  const { rows: found } = await operators.query<{ live_id: string; test_id: string }>(SIDES, [
    parseId('project', id) ?? null,
  ])
  const [sides] = found
  if (sides === undefined) throw notFound('Project')
  const { live_id, test_id } = sides
  const { rows } = await operators.query<Row>(USAGE, [[live_id, test_id]])
  const months = Map.groupBy(rows, ({ month }) => month)
  return [...months].map(([month, used]) => ({
    month,
    live: usedBy(used, live_id),
    test: usedBy(used, test_id),
  }))
}

const usedBy = (rows: readonly Row[], id: string): UsedInMonth => {
  const row = rows.find(({ side }) => side === id)
  return row === undefined
    ? NONE
    : (Object.fromEntries(NAMES.map((name) => [name, row[name]])) as unknown as UsedInMonth)
}
