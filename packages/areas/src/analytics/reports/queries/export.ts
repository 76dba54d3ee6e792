import { type SqlBool, sql } from 'kysely'
import { type ListExport, type ListFilters, publicId } from '#platform/csv/list-file.ts'
import { query } from '#platform/db/statement.ts'
import { invalidBody, invalidField } from '#platform/errors.ts'
import { filtersOf } from '#platform/http/page.ts'
import { parseId } from '#platform/ids.ts'
import { hitId } from '../../ids.ts'
import { storedPath } from '../../visitors/page-path.ts'
import { scopeOf } from '../asked.ts'
import { EventsQuery } from '../schema.ts'
import { type EventFilters, eventConditions } from './events-page.ts'

interface Asked extends Omit<EventFilters, 'period' | 'member'> {
  readonly start_date?: string
  readonly end_date?: string
  readonly user_id?: string
}

/** Events and page views as a file. */
export const analyticsExport: ListExport = {
  of: 'analytics',
  title: 'Events',
  permission: 'read:analytics',
  filters: filtersOf(EventsQuery),
  id: { is: hitId, column: 'e.id' },
  at: { name: 'timestamp', column: 'e.at' },
  columns: {
    type: sql`case when e.name is null then 'pageview' else 'event' end`,
    event: { guarded: sql.ref('e.name') },
    user_id: publicId('mem', 'e.member_id'),
    session_id: { guarded: sql.ref('e.session_id') },
    visitor: sql`lpad(to_hex(e.visitor), 16, '0')`,
    bot: sql`e.bot::text`,
    host: { guarded: sql.ref('e.host') },
    page: { guarded: storedPath(sql`e.path`) },
    title: { guarded: sql.ref('e.title') },
    referrer: { guarded: storedPath(sql`e.referrer`) },
    source: { guarded: sql.ref('e.source') },
    channel: sql.ref('e.channel'),
    country: sql.ref('e.country'),
    device: sql.ref('e.device'),
    browser: { guarded: sql.ref('e.browser') },
    os: { guarded: sql.ref('e.os') },
    properties: { guarded: sql`e.properties::text` },
  },
  rows: (filters) =>
    eventConditions(filters as unknown as EventFilters).reduce(
      (rows, condition) => rows.where(sql<SqlBool>`${condition}`),
      query.selectFrom('analytics_events as e'),
    ),
  before: (id) => sql<SqlBool>`e.received_at <= (select created_at from exports where id = ${id}::uuid)`,
  prepare: async (data, filters): Promise<ListFilters> => {
    const { start_date, end_date, user_id, ...others } = filters as Partial<Asked>
    const member = user_id === undefined ? undefined : parseId('member', user_id)
    if (user_id !== undefined && member === undefined)
      throw invalidField('filters.user_id', 'id', 'is not an id of the right kind')
    const { period, bots } = await scopeOf(
      data,
      { start_date, end_date, bots: others.bots },
      Date.now(),
      invalidBody,
    )
    return { ...others, bots, period, ...(member !== undefined && { member }) }
  },
}
