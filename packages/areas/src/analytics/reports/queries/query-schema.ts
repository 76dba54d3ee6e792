import { type Static, Type } from 'typebox'
import { nullable, oneOf, strict, Timestamp } from '#platform/http/envelope.ts'
import { OPERATORS } from '../filters.ts'
import { BOTS } from '../hits.ts'
import { METRICS } from '../metrics.ts'
import { Metrics } from '../schema.ts'

const moment = (description: string, example: string) =>
  Type.Optional(Type.String({ format: 'date-or-time', description, examples: [example] }))

/** From when to when; as in query strings. */
export const DateRangeBody = Type.Optional(
  strict(
    {
      start_date: moment('The first day or moment. Default: 30 days before the end', '2026-11-01'),
      end_date: moment('The last day or moment; a day is included as a whole. Default: today', '2026-11-21'),
    },
    { title: 'AnalyticsDateRange' },
  ),
)
export const Zone = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'The IANA time zone of the dates. Default: the time zone of the project',
    examples: ['Europe/Berlin'],
  }),
)
const DimensionName = Type.String({ minLength: 1, maxLength: 130, examples: ['source'] })
const FilterBody = strict(
  {
    dimension: DimensionName,
    operator: Type.Optional(
      oneOf(OPERATORS, { description: '`matches` takes the wildcards `*` and `**`. Default: `is`' }),
    ),
    values: Type.Array(Type.String({ maxLength: 1_000, examples: ['DE'] }), { minItems: 1, maxItems: 100 }),
  },
  { title: 'AnalyticsFilter', examples: [{ dimension: 'country', operator: 'is', values: ['DE'] }] },
)
export type FilterBody = Static<typeof FilterBody>
export const Filters = Type.Optional(Type.Array(FilterBody, { maxItems: 20 }))
export const Bots = Type.Optional(
  oneOf(BOTS, { title: 'BotFilter', description: 'Whether bots are counted. Default: `exclude`' }),
)

export const QueryBody = strict(
  {
    metrics: Type.Array(oneOf(METRICS), { minItems: 1, maxItems: METRICS.length, uniqueItems: true }),
    dimensions: Type.Optional(
      Type.Array(DimensionName, {
        maxItems: 4,
        uniqueItems: true,
        description:
          'Up to three dimensions of breakdowns, and one of `time:hour`, `time:day`, `time:week` and `time:month`',
        examples: [['source', 'time:day']],
      }),
    ),
    filters: Filters,
    date_range: DateRangeBody,
    timezone: Zone,
    order_by: Type.Optional(
      Type.Array(
        strict(
          {
            field: Type.String({
              minLength: 1,
              maxLength: 130,
              description: 'A metric or a dimension of this query',
              examples: ['visitors'],
            }),
            direction: Type.Optional(oneOf(['asc', 'desc'], { description: 'Default: `desc`' })),
          },
          { title: 'AnalyticsOrder' },
        ),
        { maxItems: 5 },
      ),
    ),
    compare: Type.Optional(
      oneOf(['previous'], { description: 'Also returns the values of the previous period of equal length' }),
    ),
    goal: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'The goal whose conversions are counted. Default: all goals',
        examples: ['the id of a goal'],
      }),
    ),
    bots: Bots,
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000,
        description: 'The largest number of groups in the answer. Default: 100',
      }),
    ),
  },
  {
    title: 'AnalyticsQuery',
    examples: [
      {
        metrics: ['visitors', 'bounce_rate'],
        dimensions: ['source', 'time:day'],
        filters: [{ dimension: 'country', operator: 'is', values: ['DE'] }],
        date_range: { start_date: '2026-11-01', end_date: '2026-11-21' },
        order_by: [{ field: 'visitors', direction: 'desc' }],
      },
    ],
  },
)
export type QueryBody = Static<typeof QueryBody>

export const QueryRow = Type.Object(
  {
    dimensions: Type.Record(Type.String(), nullable(Type.String()), {
      description: 'The value of each dimension; for a time dimension the start of the interval',
      examples: [{ source: 'Google', 'time:day': '2026-11-21T00:00:00.000Z' }],
    }),
    metrics: Metrics,
    previous: Type.Optional(Metrics),
  },
  { title: 'AnalyticsQueryRow' },
)

export const FunnelBody = strict(
  {
    steps: Type.Array(
      strict(
        {
          event: Type.Optional(Type.String({ minLength: 1, maxLength: 120, examples: ['signup'] })),
          page: Type.Optional(
            Type.String({
              pattern: '^/[^\\u0000-\\u001f]*$',
              maxLength: 500,
              description:
                'A pattern for the paths of page views; `*` and `**` are wildcards. The answer has it decoded, without a slash at the end',
              examples: ['/pricing'],
            }),
          ),
        },
        {
          title: 'FunnelStep',
          description: 'Either an event or a page',
          examples: [{ page: '/pricing' }],
        },
      ),
      { minItems: 2, maxItems: 10 },
    ),
    by: Type.Optional(
      oneOf(['visitors', 'members'], {
        description: '`visitors`: each visitor within one day; `members`: each member over the whole range',
      }),
    ),
    date_range: DateRangeBody,
    timezone: Zone,
    bots: Bots,
  },
  {
    title: 'FunnelQuery',
    examples: [
      { steps: [{ page: '/pricing' }, { event: 'signup' }], date_range: { start_date: '2026-11-01' } },
    ],
  },
)
export type FunnelBody = Static<typeof FunnelBody>

export const Funnel = Type.Object(
  {
    by: oneOf(['visitors', 'members']),
    steps: Type.Array(
      Type.Object(
        {
          event: nullable(Type.String({ examples: ['signup'] })),
          page: nullable(Type.String({ examples: ['/pricing'] })),
          count: Type.Integer({
            description: 'The number of visitors who made this step and all steps before it',
            examples: [120],
          }),
          conversion_rate: Type.Number({ description: 'Percent of the first step', examples: [37.5] }),
          step_rate: Type.Number({ description: 'Percent of the previous step', examples: [75] }),
        },
        { title: 'FunnelStepResult' },
      ),
    ),
  },
  { title: 'Funnel' },
)

export const RetentionBody = strict(
  {
    interval: Type.Optional(oneOf(['day', 'week', 'month'], { description: 'Default: `week`' })),
    periods: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 36,
        description: 'The number of groups; the last one is the group of `end_date`. Default: 12',
        examples: [12],
      }),
    ),
    end_date: moment('A day in the last period. Default: today', '2026-11-21'),
    timezone: Zone,
  },
  { title: 'RetentionQuery', examples: [{ interval: 'week', periods: 12 }] },
)
export type RetentionBody = Static<typeof RetentionBody>

export const Retention = Type.Object(
  {
    interval: oneOf(['day', 'week', 'month']),
    timezone: Type.String({ examples: ['Europe/Berlin'] }),
    cohorts: Type.Array(
      Type.Object(
        {
          start: Timestamp(),
          members: Type.Integer({
            description: 'Members who were first seen in this period',
            examples: [40],
          }),
          returned: Type.Array(Type.Integer(), {
            description:
              'The numbers of these members who were seen in this period, in the next period, and so on',
            examples: [[40, 22, 18]],
          }),
        },
        { title: 'RetentionCohort' },
      ),
    ),
  },
  { title: 'Retention' },
)
