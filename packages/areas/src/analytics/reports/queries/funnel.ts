import { type RawBuilder, sql } from 'kysely'
import { type FieldFault, invalidBody } from '#platform/errors.ts'
import { reaches } from '../../goals/goal.ts'
import { pagePattern } from '../../goals/path-pattern.ts'
import { storedPath } from '../../visitors/page-path.ts'
import { scopeOf } from '../asked.ts'
import { BOT_CONDITIONS } from '../hits.ts'
import { reportDays } from '../period.ts'
import { type Reports, readWithSettings } from '../report.ts'
import type { FunnelBody } from './query-schema.ts'

interface Step {
  readonly event: string | null
  readonly page: string | null
}

/** A funnel as clients see it. */
export interface FunnelResult {
  readonly by: 'visitors' | 'members'
  readonly steps: (Step & { count: number; conversion_rate: number; step_rate: number })[]
}

/**
 * Follows visitors or members from step to step: each at its first event after the one before it.
 * @throws ApiError 422 for a step that is neither an event nor a page, or both
 */
export async function answerFunnel(data: Reports, body: FunnelBody, now: number): Promise<FunnelResult> {
  const steps = toSteps(body)
  const asked = { ...body.date_range, timezone: body.timezone, bots: body.bots }
  const { period, projectZone, bots } = await scopeOf(data, asked, now, invalidBody)
  const by = body.by ?? 'visitors'
  const days = reportDays(projectZone, period, undefined, false)
  const range = { from: new Date(period.from), until: new Date(period.until) }
  const starts = days.map((day) => day.starts)
  const work = sql<{ counts: number[] }>`with
    n as materialized (
      select at, id, visitor, member_id, name, ${storedPath(sql`e.path`)} as path from analytics_events e
      where e.at >= ${range.from} and e.at < ${range.until} and ${BOT_CONDITIONS[bots]}
        and ${anyOf(steps)} ${by === 'members' ? sql`and e.member_id is not null` : sql``}
    ),
    hits as materialized (
      select ${by === 'members' ? sql`n.member_id as who, 0 as day` : sql`n.visitor as who, width_bucket(n.at, ${starts}::timestamptz[]) as day`},
        n.at, n.id, ${sql.join(steps.map((step, i) => sql`${reaches([step])} as ${sql.raw(`s${i}`)}`))} from n
    ),
    ${sql.join(steps.map((_, i) => stepOf(i)))}
    select array[${sql.join(steps.map((_, i) => sql`(select count(*) from ${sql.raw(`step${i}`)})`))}]::int[] as counts`
  const [row] = await readWithSettings(data, 'funnel', work)
  const counts = row?.counts ?? []
  const rate = (part: number, whole: number) => (whole === 0 ? 0 : Math.round((part * 10_000) / whole) / 100)
  return {
    by,
    steps: steps.map((step, i) => ({
      ...step,
      count: counts[i] ?? 0,
      conversion_rate: rate(counts[i] ?? 0, counts[0] ?? 0),
      step_rate: rate(counts[i] ?? 0, counts[Math.max(0, i - 1)] ?? 0),
    })),
  }
}

/** Whoever made a step, and with which event: the first one after the step before. */
function stepOf(i: number): RawBuilder<unknown> {
  const name = sql.raw(`step${i}`)
  const reached = sql.raw(`s${i}`)
  if (i === 0)
    return sql`${name} as materialized (
      select distinct on (who, day) who, day, at, id from hits where ${reached} order by who, day, at, id
    )`
  return sql`${name} as materialized (
    select distinct on (h.who, h.day) h.who, h.day, h.at, h.id
    from ${sql.raw(`step${i - 1}`)} b join hits h on h.who = b.who and h.day = b.day and (h.at, h.id) > (b.at, b.id)
    where h.${reached} order by h.who, h.day, h.at, h.id
  )`
}

/** Events that reach any step, found by their names where all steps are events. */
function anyOf(steps: readonly Step[]): RawBuilder<boolean> {
  const events = steps.flatMap(({ event }) => event ?? [])
  if (events.length === steps.length) return sql`e.name = any (${events}::text[])`
  return events.length === 0 ? sql`e.name is null` : sql`(e.name is null or e.name = any (${events}::text[]))`
}

function toSteps({ steps }: FunnelBody): Step[] {
  const faults: FieldFault[] = []
  for (const [i, { event, page }] of steps.entries())
    if ((event === undefined) === (page === undefined))
      faults.push({
        field: `steps[${i}]`,
        rule: 'step',
        message: 'must have either an event or a page',
      })
  if (faults.length > 0) throw invalidBody(faults)
  return steps.map(({ event, page }) => ({
    event: event ?? null,
    page: page === undefined ? null : pagePattern(page),
  }))
}
