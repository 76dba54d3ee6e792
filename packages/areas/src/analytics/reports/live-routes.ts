import { sql } from 'kysely'
import { Type } from 'typebox'
import { queryOnce } from '#platform/db/query.ts'
import { invalidParameters } from '#platform/errors.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope, envelopeOf, nullable, oneOf, Timestamp } from '#platform/http/envelope.ts'
import { idFromFilter, parseId, toId } from '#platform/ids.ts'
import { invalidCursor, toCursor } from '#platform/lists/list-cursor.ts'
import { cursorOf } from '#platform/lists/pagination.ts'
import { MINUTE_MS } from '../calendar.ts'
import { hitId } from '../ids.ts'
import { storedPath } from '../visitors/page-path.ts'
import { scopeOf } from './asked.ts'
import { type EventRow, eventsPage } from './queries/events-page.ts'
import { CursorPagination, EventsQuery } from './schema.ts'

const config = { access: { secret: 'read:analytics' } } as const
/** Whoever did something within it is there. */
const PRESENT_MS = 5 * MINUTE_MS
const MINUTES = 30

const Realtime = Type.Object(
  {
    visitors: Type.Integer({
      description: 'Visitors who did something in the last five minutes',
      examples: [12],
    }),
    minutes: Type.Array(
      Type.Object(
        {
          start: Timestamp(),
          visitors: Type.Integer({ examples: [3] }),
          pageviews: Type.Integer({ examples: [7] }),
          events: Type.Integer({ examples: [1] }),
        },
        { title: 'RealtimeMinute' },
      ),
      { description: 'The last 30 minutes, the present minute included' },
    ),
    pages: Type.Array(
      Type.Object(
        { value: Type.String({ examples: ['/pricing'] }), visitors: Type.Integer({ examples: [3] }) },
        { title: 'RealtimePage' },
      ),
      { description: 'The pages that visitors opened in the last five minutes, at most ten' },
    ),
  },
  { title: 'Realtime' },
)

const Tracked = Type.Object(
  {
    id: Type.String({ examples: ['hit_01jcq3k8f7e8qtk4m3hbw7rn2d'] }),
    type: oneOf(['event', 'pageview']),
    event: nullable(Type.String({ examples: ['signup'] })),
    timestamp: Timestamp(),
    received_at: Timestamp(),
    user_id: nullable(
      Type.String({
        description: 'The member who caused the event',
        examples: ['mem_01jcq3k8f7e8qtk4m3hbw7rn2d'],
      }),
    ),
    session_id: nullable(Type.String({ examples: ['s-1842'] })),
    visitor: Type.String({
      description: 'The visitor; the same text for all events of one visitor on one day',
      examples: ['1f2e3d4c5b6a7988'],
    }),
    bot: Type.Boolean({ examples: [false] }),
    host: nullable(Type.String({ examples: ['example.com'] })),
    page: nullable(Type.String({ examples: ['/pricing'] })),
    title: nullable(Type.String({ examples: ['Pricing'] })),
    referrer: nullable(Type.String({ examples: ['google.com/'] })),
    source: Type.String({ examples: ['Google'] }),
    channel: Type.String({ examples: ['Organic Search'] }),
    country: nullable(Type.String({ examples: ['DE'] })),
    device: nullable(Type.String({ examples: ['desktop'] })),
    browser: nullable(Type.String({ examples: ['Firefox'] })),
    os: nullable(Type.String({ examples: ['Linux'] })),
    properties: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      examples: [{ plan: 'supporter' }],
    }),
  },
  { title: 'StoredEvent' },
)

/** What happens right now, and what was stored. */
export function liveRoutes(api: Api): void {
  getRealtimeRoute(api)
  listAnalyticsEventsRoute(api)
}

function getRealtimeRoute(api: Api): void {
  api.get(
    '/analytics/realtime',
    {
      config,
      schema: {
        operationId: 'getRealtime',
        summary: 'Get live metrics',
        response: { 200: envelope(Realtime) },
      },
    },
    async (request) => {
      const now = Date.now()
      const first = Math.floor(now / MINUTE_MS) * MINUTE_MS - (MINUTES - 1) * MINUTE_MS
      const present = new Date(now - PRESENT_MS)
      const starts = Array.from({ length: MINUTES }, (_, i) => new Date(first + i * MINUTE_MS))
      const minutes = sql<{ minute: number; visitors: number; pageviews: number; events: number }>`
        select width_bucket(at, ${starts}::timestamptz[]) as minute, count(distinct visitor) as visitors,
          count(*) filter (where name is null) as pageviews, count(name) as events
        from analytics_events where at >= ${starts[0]} and at <= ${new Date(now)} and not bot group by 1`
      const pages = sql<{ value: string; visitors: number }>`
        select ${storedPath(sql`path`)} as value, count(distinct visitor) as visitors from analytics_events
        where at >= ${present} and at <= ${new Date(now)} and not bot and name is null
        group by 1 order by 2 desc, 1 limit 10`
      const here = sql<{ visitors: number }>`select count(distinct visitor) as visitors from analytics_events
        where at >= ${present} and at <= ${new Date(now)} and not bot`
      const { found, looked, there } = await request.read({
        found: queryOnce('realtime', minutes)(),
        looked: queryOnce('realtime_pages', pages)(),
        there: queryOnce('realtime_here', here).single()(),
      })
      const counts = new Map(found.map((row) => [row.minute, row]))
      return {
        visitors: there.visitors,
        minutes: starts.map((start, i) => {
          const { visitors = 0, pageviews = 0, events = 0 } = counts.get(i + 1) ?? {}
          return { start: start.toISOString(), visitors, pageviews, events }
        }),
        pages: looked,
      }
    },
  )
}

function listAnalyticsEventsRoute(api: Api): void {
  api.get(
    '/analytics/events',
    {
      config,
      schema: {
        operationId: 'listAnalyticsEvents',
        summary: 'List stored events',
        description: 'Events and page views, newest first. Client addresses and user agents are not stored.',
        querystring: EventsQuery,
        response: {
          200: envelopeOf({
            data: Type.Array(Tracked),
            pagination: CursorPagination,
          }),
        },
      },
    },
    async (request) => {
      const { limit, cursor, user_id, type, event, path, ...asked } = request.query
      const after = cursorOf({ cursor }, ['events'], ['number', 'text'])
      const before = after && { at: Number(after[0]), id: parseId(hitId, String(after[1])) }
      if (before !== undefined && (before.id === undefined || !isTime(before.at)))
        throw invalidCursor('is not a cursor of this list')
      const member = user_id === undefined ? undefined : idFromFilter('member', 'user_id', user_id)
      const scope = await scopeOf(request, asked, Date.now(), invalidParameters)
      const page = eventsPage({
        ...scope,
        ...{ type, event, path, member },
        before: before?.id === undefined ? undefined : { at: new Date(before.at), id: before.id },
        limit: limit + 1,
      })
      const { rows } = await request.read({ rows: queryOnce('list_hits', page)() })
      const shown = rows.slice(0, limit).map(toTracked)
      const last = rows.length > limit ? shown.at(-1) : undefined
      return {
        data: shown,
        pagination: {
          limit,
          next_cursor: last ? toCursor(['events'], [Date.parse(last.timestamp), last.id]) : null,
        },
      }
    },
  )
}

const isTime = (value: number): boolean => Math.abs(value) < 8.64e15

const toTracked = ({ at, id, name, member_id, path, properties, ...row }: EventRow) => ({
  ...row,
  id: toId(hitId, id),
  type: name === null ? ('pageview' as const) : ('event' as const),
  event: name,
  timestamp: at,
  user_id: member_id === null ? null : toId('member', member_id),
  page: path,
  properties: properties ?? {},
})
