import { sql } from 'kysely'
import { defineQuery } from '#platform/db/query.ts'
import { storedPath } from './visitors/page-path.ts'

/** A page that a member, or somebody without a name, looked at. */
export interface ViewedPage {
  readonly host: string | null
  readonly path: string
  readonly member_id: string | null
  readonly views: number
}

/** Pages that were looked at since, and by which members, the most viewed first. Bots are left out. */
export const viewedPages = defineQuery(
  'viewed_pages',
  (v: { since: Date; limit: number }) =>
    sql<ViewedPage>`select host, ${storedPath(sql`path`)} as path, member_id, count(*) as views from analytics_events
      where at >= ${v.since} and name is null and not bot and path is not null
      group by 1, 2, 3 order by views desc, 1, 2 limit ${v.limit}`,
)
