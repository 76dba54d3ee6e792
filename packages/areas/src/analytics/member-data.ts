import { sql } from 'kysely'
import { type PersonalData, personalData } from '#platform/catalogue/personal-data.ts'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { hitId } from './ids.ts'

interface Whose {
  readonly memberIds: readonly string[]
}

const outdateDaysOf = defineQuery(
  'outdate_days_of_members',
  (v: Whose) => sql`select app.outdate_analytics_days(array_agg(day))
    from (
      select distinct (e.at at time zone p.timezone)::date as day from analytics_events e, projects p
      where e.member_id = any (${v.memberIds}::uuid[])
    ) as days`,
)
const removeEvents = defineQuery('delete_events_of_members', (v: Whose) =>
  query.deleteFrom('analytics_events').where('member_id', '=', sql<string>`any (${v.memberIds}::uuid[])`),
)
const removeDays = defineQuery('delete_days_of_members', (v: Whose) =>
  query.deleteFrom('analytics_members').where('member_id', '=', sql<string>`any (${v.memberIds}::uuid[])`),
)

const daysSeen = defineQuery(
  'days_of_members',
  (v: Whose & { readonly after: string; readonly limit: number }) =>
    sql<{ day: string; key: string }>`select day, key from (
      select to_char(day, 'YYYY-MM-DD') as day, day || ' ' || member_id as key from analytics_members
      where member_id = any (${v.memberIds}::uuid[])
    ) as seen where key > ${v.after} group by day, key order by key limit ${v.limit}`,
)

/** On which days a member was seen. It goes with the events that it was made of. */
const seenDays: PersonalData = {
  table: 'analytics_members',
  list: async (ctx, { memberIds }, after, limit) => {
    const rows = await daysSeen(ctx, { memberIds, after: after ?? '', limit })
    return { records: rows.map(({ day }) => ({ day })), last: rows.at(-1)?.key ?? null }
  },
  erase: removeDays,
}

/**
 * What members did, as events tell it. They go as a whole: anything in their properties can be about the member. Their
 * counts are made anew without them.
 */
export const memberData = [
  personalData({
    table: 'analytics_events',
    member: 'member_id',
    columns: [
      'id',
      'at',
      'name',
      'session_id',
      'host',
      'path',
      'title',
      'referrer',
      'country',
      'device',
      'browser',
      'os',
      'screen',
      'properties',
    ],
    ids: { id: hitId },
    erase: async (ctx: Context, { memberIds }) => {
      outdateDaysOf(ctx, { memberIds })
      removeEvents(ctx, { memberIds })
    },
  }),
  seenDays,
]
