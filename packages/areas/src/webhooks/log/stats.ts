import { sql } from 'kysely'
import { type AnswerOf, defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Stats } from './schema.ts'

/** Upper bounds in milliseconds of the counted durations; the last count has all longer ones. */
export const DURATION_BOUNDS = [10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000] as const

/** What was sent to an endpoint in each hour. */
export const listHours = defineQuery('webhook_stats', (v: { endpointId: string; hours: number }) =>
  query
    .selectFrom('webhook_stats')
    .select(['hour', 'delivered', 'failed_attempts', 'failed_deliveries', 'duration_ms', 'durations'])
    .where('endpoint_id', '=', v.endpointId)
    .where('hour', '>', sql<string>`now() - make_interval(hours => ${v.hours}::integer)`)
    .orderBy('hour'),
)

/** What waits for an endpoint. */
export const countWaiting = defineQuery('webhook_waiting', (v: { endpointId: string; hours: number }) =>
  query.selectNoFrom([
    sql<number>`(select count(*) from webhook_deliveries where endpoint_id = ${v.endpointId} and due_at is not null)`.as(
      'pending',
    ),
    sql<string | null>`(select min(at) from (
      (select due_at as at from webhook_deliveries where endpoint_id = ${v.endpointId} and is_retry = false
        and due_at <= now() order by due_at limit 1)
      union all
      (select due_at from webhook_deliveries where endpoint_id = ${v.endpointId} and is_retry = true
        and due_at <= now() order by due_at limit 1)) as heads)`.as('oldest_due_at'),
    sql<string>`date_trunc('hour', now() - make_interval(hours => ${v.hours}::integer - 1))`.as('since'),
    sql<string>`now()`.as('until'),
  ]),
).single()

type HourRow = AnswerOf<typeof listHours>[number]

export function toStats(rows: readonly HourRow[], now: AnswerOf<typeof countWaiting>): Stats {
  const sum = (value: (row: HourRow) => number) => rows.reduce((total, row) => total + value(row), 0)
  const delivered = sum((row) => row.delivered)
  const failedAttempts = sum((row) => row.failed_attempts)
  const attempts = delivered + failedAttempts
  const durations = [...DURATION_BOUNDS, 0].map((_, i) => sum((row) => row.durations[i] ?? 0))
  return {
    ...now,
    delivered,
    failed: sum((row) => row.failed_deliveries),
    attempts,
    failed_attempts: failedAttempts,
    success_rate: attempts === 0 ? null : Math.round((delivered / attempts) * 10_000) / 10_000,
    average_ms: attempts === 0 ? null : Math.round(sum((row) => row.duration_ms) / attempts),
    p50_ms: percentile(durations, 0.5),
    p95_ms: percentile(durations, 0.95),
    hours: rows.map(({ hour, delivered, failed_deliveries: failed, failed_attempts }) => ({
      hour,
      delivered,
      failed,
      failed_attempts,
    })),
  }
}

/** The bound below which this share of durations is; for durations above the last bound, the deadline of a send. */
function percentile(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  const upTo = (index: number) => counts.slice(0, index + 1).reduce((sum, count) => sum + count, 0)
  const index = counts.findIndex((_, i) => upTo(i) >= total * share)
  return DURATION_BOUNDS[index] ?? 15_000
}
