import { type RawBuilder, sql } from 'kysely'
import { pagePath, storedPath } from '../../visitors/page-path.ts'
import { BOT_CONDITIONS, type Bots } from '../hits.ts'
import type { Period } from '../period.ts'

/** An event as it is stored. */
export interface EventRow {
  readonly id: string
  readonly at: string
  readonly received_at: string
  readonly name: string | null
  readonly member_id: string | null
  readonly session_id: string | null
  readonly visitor: string
  readonly bot: boolean
  readonly host: string | null
  readonly path: string | null
  readonly title: string | null
  readonly referrer: string | null
  readonly source: string
  readonly channel: string
  readonly country: string | null
  readonly device: string | null
  readonly browser: string | null
  readonly os: string | null
  readonly properties: Record<string, unknown> | null
}

/** Which events are asked for. */
export interface EventFilters {
  readonly period: Period
  readonly bots: Bots
  readonly type?: 'event' | 'pageview' | undefined
  readonly event?: string | undefined
  readonly path?: string | undefined
  /** The stored id; null: a member that there cannot be. */
  readonly member?: string | null | undefined
}

interface Asked extends EventFilters {
  /** The last event of the page before. */
  readonly before: { readonly at: Date; readonly id: string } | undefined
  readonly limit: number
}

/** The conditions of events `e`. */
export const eventConditions = ({ period, bots, type, event, path, member }: EventFilters) => [
  sql`e.at >= ${new Date(period.from)} and e.at < ${new Date(period.until)} and ${BOT_CONDITIONS[bots]}`,
  ...(type === 'event' ? [sql`e.name is not null`] : type === 'pageview' ? [sql`e.name is null`] : []),
  ...(event === undefined ? [] : [sql`e.name = ${event}`]),
  ...(path === undefined ? [] : [sql`${storedPath(sql`e.path`)} = ${pagePath(path)}`]),
  ...(member === undefined ? [] : [sql`e.member_id = ${member}::uuid`]),
]

/** Some events of a range, the newest first. */
export function eventsPage({ before, limit, ...filters }: Asked): RawBuilder<EventRow> {
  const conditions = [
    ...eventConditions(filters),
    // Cursors are of milliseconds, and so are events.
    ...(before === undefined ? [] : [sql`(e.at, e.id) < (${before.at}, ${before.id}::uuid)`]),
  ]
  return sql<EventRow>`select e.id, e.at, e.received_at, e.name, e.member_id, e.session_id,
      lpad(to_hex(e.visitor), 16, '0') as visitor, e.bot, e.host, ${storedPath(sql`e.path`)} as path, e.title,
      ${storedPath(sql`e.referrer`)} as referrer, e.source, e.channel,
      e.country, e.device, e.browser, e.os, e.properties
    from analytics_events e where ${sql.join(conditions, sql` and `)}
    order by e.at desc, e.id desc limit ${limit}`
}
