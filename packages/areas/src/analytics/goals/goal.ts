import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { pathPattern } from './path-pattern.ts'

/** What is reached for, as rows say it: one of `event` and `page` is null. */
export interface Goal {
  readonly id: string
  readonly event: string | null
  readonly page: string | null
}

/** Whether an event `n` reaches one of the goals. */
export function reaches(goals: readonly Pick<Goal, 'event' | 'page'>[]): RawBuilder<boolean> {
  const events = goals.flatMap(({ event }) => event ?? [])
  const pages = goals.flatMap(({ page }) => (page === null ? [] : [pathPattern(page)]))
  const conditions = [
    ...(events.length > 0 ? [sql`n.name = any (${events}::text[])`] : []),
    ...(pages.length > 0 ? [sql`(n.name is null and n.path ~ ${pages.join('|')})`] : []),
  ]
  // Null where an event has neither name nor path.
  return conditions.length === 0 ? sql`false` : sql`coalesce(${sql.join(conditions, sql` or `)}, false)`
}

/** Changes with what roll-ups count: those from before paths were kept decoded do not count. */
const FORM = 2

/** Names a set of goals. Roll-ups made under another set do not count. */
export const keyOfGoals = (goals: readonly Goal[]): string =>
  `${FORM}:${
    goals.length === 0
      ? 'none'
      : createHash('sha256')
          .update(JSON.stringify(goals.map(({ event, page }) => [event, page]).sort()))
          .digest('base64url')
          .slice(0, 16)
  }`
