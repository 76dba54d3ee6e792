import { sql } from 'kysely'
import { query, type Statement, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'

/** A page that a member, or somebody without a name, looked at. */
export interface ViewedPage {
  readonly host: string | null
  readonly path: string
  readonly member_id: string | null
  readonly views: number
}

const viewed: Statement<{ since: Date; limit: number }, ViewedPage> = statement(
  'viewed_pages',
  (v: { since: Date; limit: number }) => ({
    compile: () =>
      sql<ViewedPage>`select host, path, member_id, count(*) as views from analytics_events
        where at >= ${v.since} and name is null and not bot and path is not null
        group by host, path, member_id order by views desc, host, path limit ${v.limit}`.compile(query),
  }),
)

/** Pages that were looked at since, and by which members, the most viewed first. Bots are left out. */
export const viewedPages = (ctx: Context, since: Date, limit: number) => ctx.tx.all(viewed, { since, limit })
