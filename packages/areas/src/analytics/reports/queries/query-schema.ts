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
      start_date: moment('The first day or moment; 30 days in all where omitted', '2026-11-01'),
      end_date: moment(
        'The last one, which is included; of a date the whole day; today where omitted',
        '2026-11-21',
      ),
    },
    { title: 'AnalyticsDateRange' },
  ),
)
export const Zone = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 64,
    description: "The IANA zone that dates are of; the project's where omitted",
    examples: ['Europe/Berlin'],
  }),
)
const DimensionName = Type.String({ minLength: 1, maxLength: 130, examples: ['source'] })
const FilterBody = strict(
  {
    dimension: DimensionName,
    operator: Type.Optional(
      oneOf(OPERATORS, { description: '`is` where omitted; `matches` takes `*` and `**`' }),
    ),
    values: Type.Array(Type.String({ maxLength: 1_000, examples: ['DE'] }), { minItems: 1, maxItems: 100 }),
  },
  { title: 'AnalyticsFilter', examples: [{ dimension: 'country', operator: 'is', values: ['DE'] }] },
)
export type FilterBody = Static<typeof FilterBody>
export const Filters = Type.Optional(Type.Array(FilterBody, { maxItems: 20 }))
export const Bots = Type.Optional(oneOf(BOTS, { description: 'Whether bots count; `exclude` where omitted' }))

export const QueryBody = strict(
  {
    metrics: Type.Array(oneOf(METRICS), { minItems: 1, maxItems: METRICS.length, uniqueItems: true }),
    dimensions: Type.Optional(
      Type.Array(DimensionName, {
        maxItems: 4,
        uniqueItems: true,
        description:
          'Up to three of those of breakdowns, and one of `time:hour`, `time:day`, `time:week` and `time:month`',
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
            direction: Type.Optional(oneOf(['asc', 'desc'], { description: '`desc` where omitted' })),
          },
          { title: 'AnalyticsOrder' },
        ),
        { maxItems: 5 },
      ),
    ),
    compare: Type.Optional(oneOf(['previous'], { description: 'The period of equal length before' })),
    goal: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'The goal whose conversions count; all where omitted',
        examples: ['the id of a goal'],
      }),
    ),
    bots: Bots,
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000, description: 'Groups at the most; 100 where omitted' }),
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
      description: 'The value of each dimension; of time the start of the bucket',
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
              description: 'Paths of page views, with `*` and `**`',
              examples: ['/pricing'],
            }),
          ),
        },
        {
          title: 'FunnelStep',
          description: 'An event or a page: one of the two',
          examples: [{ page: '/pricing' }],
        },
      ),
      { minItems: 2, maxItems: 10 },
    ),
    by: Type.Optional(
      oneOf(['visitors', 'members'], {
        description:
          'Who is followed: `visitors` within a day, which is as long as they are known; `members` over the whole range',
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
          count: Type.Integer({ description: 'Who came so far, one step after the other', examples: [120] }),
          conversion_rate: Type.Number({ description: 'Per cent of the first step', examples: [37.5] }),
          step_rate: Type.Number({ description: 'Per cent of the step before', examples: [75] }),
        },
        { title: 'FunnelStepResult' },
      ),
    ),
  },
  { title: 'Funnel' },
)

export const RetentionBody = strict(
  {
    interval: Type.Optional(oneOf(['day', 'week', 'month'], { description: '`week` where omitted' })),
    periods: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 36,
        description: 'Cohorts, the last one of today; 12 where omitted',
        examples: [12],
      }),
    ),
    end_date: moment('A day of the last cohort; today where omitted', '2026-11-21'),
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
          members: Type.Integer({ description: 'First seen in this period', examples: [40] }),
          returned: Type.Array(Type.Integer(), {
            description: 'Of them seen in this period, in the next one, and so on',
            examples: [[40, 22, 18]],
          }),
        },
        { title: 'RetentionCohort' },
      ),
    ),
  },
  { title: 'Retention' },
)
