import { type Static, Type } from 'typebox'
import { nullable, oneOf, strict, Timestamp } from '#platform/http/envelope.ts'
import { BOTS } from './hits.ts'
import { METRICS } from './metrics.ts'
import { INTERVALS } from './period.ts'
import { DIMENSIONS, type NamedDimension } from './queries/dimensions.ts'

const DateOrTime = (description: string, example: string) =>
  Type.String({ format: 'date-or-time', maxLength: 40, description, examples: [example] })
export const startDate = Type.Optional(
  DateOrTime('The first day or moment. Default: 30 days before the end', '2026-11-01'),
)
export const endDate = Type.Optional(
  DateOrTime('The last day or moment; a day is included as a whole. Default: today', '2026-11-21'),
)
const timezone = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'The IANA time zone of the dates. Default: the time zone of the project',
    examples: ['Europe/Berlin'],
  }),
)
const metric = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 200,
    description: `The metrics to return, separated by commas: ${METRICS.join(', ')}. Default: all`,
    examples: ['visitors,pageviews'],
  }),
)
export const bots = Type.Optional(
  oneOf(BOTS, { title: 'BotFilter', description: 'Whether bots are counted. Default: `exclude`' }),
)
const recount = Type.Optional(
  Type.Boolean({
    description: 'True counts the stored events again and does not read roll-ups; the numbers are the same',
  }),
)
const goal = Type.Optional(
  Type.String({
    maxLength: 64,
    description: 'The goal whose conversions are counted. Default: all goals',
    examples: ['goal_01jcq3k8f7e8qtk4m3hbw7rn2d'],
  }),
)
const compare = Type.Optional(
  oneOf(['previous'], { description: 'Also returns the values of the previous period of equal length' }),
)
const Value = (name: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 1_000, description: `Only events with this ${name}` }))

/** A condition for each dimension. `page` is what lists are turned by, so that pages are named by their path. */
const filters = Object.fromEntries(
  DIMENSIONS.map((name) => [name === 'page' ? 'path' : name, Value(name.replaceAll('_', ' '))]),
) as Record<Exclude<NamedDimension, 'page'> | 'path', ReturnType<typeof Value>>

export const common = {
  start_date: startDate,
  end_date: endDate,
  timezone,
  metric,
  bots,
  goal,
  recount,
  ...filters,
}

export const StatsQuery = strict({ ...common, compare })
export const TimeseriesQuery = strict({
  ...common,
  compare,
  interval: oneOf(INTERVALS, {
    default: 'day',
    description: 'The length of each point; a week begins on Monday',
  }),
})
export const BreakdownQuery = strict({
  ...common,
  dimension: Type.String({
    minLength: 1,
    maxLength: 130,
    description: `The dimension: ${DIMENSIONS.join(', ')}, or \`property:\` and the name of a property`,
    default: 'page',
  }),
  limit: Type.Integer({
    minimum: 1,
    maximum: 100,
    default: 20,
    description: 'The largest number of values in the answer',
  }),
  cursor: Type.Optional(
    Type.String({
      maxLength: 2_000,
      description: 'The `pagination.next_cursor` of the previous answer',
      examples: ['WzEsIi8iXQ'],
    }),
  ),
})
export type StatsQuery = Static<typeof StatsQuery>

const number = (description: string, example: number) =>
  Type.Optional(Type.Number({ description, examples: [example] }))
const metrics = {
  visitors: number('Visitors; for several days the sum of the visitors of each day', 120),
  visits: number('Visits: series of events of one visitor without a gap of 30 minutes', 150),
  pageviews: number('Page views', 480),
  events: number('Custom events', 32),
  bounce_rate: number('Percent of visits with one page view and no event', 41.33),
  visit_duration: number('Average seconds from the first to the last event of a visit', 94.5),
  views_per_visit: number('Average number of page views of a visit', 3.2),
  conversions: number('Events that count for a goal', 8),
  conversion_rate: number('Percent of visitors who reached a goal', 5.83),
  members: number('Members, each counted once over the whole range', 17),
}
export const Metrics = Type.Object(metrics, { title: 'Metrics' })

export const Stats = Type.Object(
  { ...metrics, previous: Type.Optional(Metrics) },
  { title: 'AnalyticsStats' },
)
const Point = Type.Object({ start: Timestamp(), ...metrics }, { title: 'AnalyticsPoint' })
export const Timeseries = Type.Object(
  {
    interval: oneOf(INTERVALS),
    timezone: Type.String({ examples: ['Europe/Berlin'] }),
    points: Type.Array(Point),
    previous: Type.Optional(Type.Array(Point, { description: 'The values of the previous period' })),
  },
  { title: 'AnalyticsTimeseries' },
)
export const BreakdownItem = Type.Object(
  { value: Type.String({ examples: ['/pricing'] }), ...metrics },
  { title: 'BreakdownItem' },
)
export const CursorPagination = Type.Object(
  {
    limit: Type.Integer({ minimum: 1, examples: [20] }),
    next_cursor: nullable(Type.String({ description: 'Null on the last page', examples: ['WzEsIi8iXQ'] })),
  },
  { title: 'CursorPagination' },
)

/** What the list of events can be asked. */
export const EventsQuery = strict({
  start_date: startDate,
  end_date: endDate,
  type: Type.Optional(oneOf(['event', 'pageview'], { description: 'Only events or only page views' })),
  event: Type.Optional(
    Type.String({ minLength: 1, maxLength: 120, description: 'Only events with this name' }),
  ),
  path: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1_000, description: 'Only events on this page' }),
  ),
  user_id: Type.Optional(Type.String({ maxLength: 64, description: 'Only events of this member' })),
  bots,
  limit: Type.Integer({
    minimum: 1,
    maximum: 100,
    default: 20,
    description: 'The largest number of events in the answer',
  }),
  cursor: Type.Optional(
    Type.String({ maxLength: 2_000, description: 'The `pagination.next_cursor` of the previous answer' }),
  ),
})
