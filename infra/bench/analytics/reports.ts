/** The reports that are asked for. */
const REPORT_MS = 100
/** Of what follows visitors from event to event. */
const FOLLOWED_MS = 2_000
const DAY_MS = 86_400_000

const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)

interface Question {
  readonly name: string
  readonly path: string
  readonly body?: object
  /** Milliseconds, with today in it. */
  readonly goal: number
}

const month = `start_date=${ago(29)}&end_date=${ago(0)}`
export const QUESTIONS: readonly Question[] = [
  {
    name: 'stats',
    path: `stats?${month}`,
    goal: REPORT_MS,
  },
  {
    name: 'time series by day',
    path: `timeseries?interval=day&${month}`,
    goal: REPORT_MS,
  },
  {
    name: 'breakdown by page',
    path: `breakdown?dimension=page&limit=100&${month}`,
    goal: REPORT_MS,
  },
  {
    name: 'funnel of three pages and events',
    path: 'funnel',
    body: {
      steps: [{ page: '/pages/1*' }, { event: 'signup' }, { event: 'pay' }],
      date_range: { start_date: ago(29), end_date: ago(0) },
    },
    goal: FOLLOWED_MS,
  },
  {
    name: 'funnel of three events',
    path: 'funnel',
    body: {
      steps: [{ event: 'signup' }, { event: 'play' }, { event: 'pay' }],
      date_range: { start_date: ago(29), end_date: ago(0) },
    },
    goal: FOLLOWED_MS,
  },
  {
    name: 'retention of 12 weeks',
    path: 'retention',
    body: { interval: 'week', periods: 12 },
    goal: FOLLOWED_MS,
  },
]
