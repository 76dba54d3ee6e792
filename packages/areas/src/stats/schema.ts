import { type Static, Type } from 'typebox'
import { nullable, oneOf, strict } from '#platform/http/envelope.ts'

export const DAILY_METRICS = ['revenue', 'mrr', 'orders', 'sign_ups'] as const
export type DailyMetric = (typeof DAILY_METRICS)[number]

const Day = (options: object) =>
  Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$', format: 'date-or-time', ...options })

export const DailyQuery = strict({
  metric: oneOf(DAILY_METRICS, {
    description:
      '`revenue`: what was paid, less what was refunded. `mrr`: monthly recurring revenue at the end of the day. `orders`: orders that were paid for the first time. `sign_ups`: members who were created',
  }),
  start_date: Type.Optional(
    Day({
      description: 'The first day, by the time zone of the project. Default: 29 days before the last day',
      examples: ['2026-11-01'],
    }),
  ),
  end_date: Type.Optional(
    Day({
      description: 'The last day, by the time zone of the project. Default: today',
      examples: ['2026-11-21'],
    }),
  ),
})
export type DailyQuery = Static<typeof DailyQuery>

const Value = (description: string) => Type.Number({ description, examples: [129.9] })
const DayText = (description: string, day: string) => Type.String({ description, examples: [day] })

export const DailySeries = Type.Object(
  {
    currency: nullable(
      Type.String({ description: 'The currency of amounts; null for counts', examples: ['eur'] }),
    ),
    total: Value('The sum of all days; of `mrr` the value of the last day'),
    days: Type.Array(
      Type.Object(
        { date: DayText('The day', '2026-11-21'), value: Value('The amount or the count of the day') },
        { title: 'DailyValue' },
      ),
      { description: 'Every day of the range, the oldest first' },
    ),
  },
  { title: 'DailySeries' },
)
export type DailySeries = Static<typeof DailySeries>

export const DailyStats = Type.Object(
  {
    metric: oneOf(DAILY_METRICS, { description: 'The metric of the answer' }),
    timezone: Type.String({
      description: 'The time zone of the project: a day begins and ends by it',
      examples: ['Europe/Berlin'],
    }),
    start_date: DayText('The first day', '2026-11-21'),
    end_date: DayText('The last day', '2026-11-21'),
    series: Type.Array(DailySeries, {
      description:
        'One series for each currency in which there is money, by the name of the currency; of counts one',
    }),
  },
  { title: 'DailyStats' },
)
export type DailyStats = Static<typeof DailyStats>
