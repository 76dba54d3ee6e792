import type { DailyStats } from '@guildhall/sdk'
import { t } from '../../data/words.ts'
import { Chart } from '../../ui/chart/chart.tsx'
import { formatMoney } from '../../ui/money/format-money.ts'
import { ErrorNotice } from '../../ui/notice/notice.tsx'
import { formatDay } from '../../ui/time/day.ts'
import styles from './home.module.css'
import { type Metric, type Overview, useDaily } from './queries.ts'

interface Props {
  readonly days: number
  readonly overview: Overview
}

/** What happened on each day. */
export function Charts({ days, overview }: Props) {
  const today = overview.days.at(-1)?.date ?? ''
  const counted = { keyTitle: t('Day'), labelOf: formatDay, kind: 'bars' as const }
  const sumOf = (name: 'submissions' | 'failed_deliveries') =>
    overview.days.reduce((sum, day) => sum + day[name], 0)
  const pointsOf = (name: 'submissions' | 'failed_deliveries') =>
    overview.days.map((day) => ({ key: day.date, value: day[name] }))
  return (
    <div className={styles.charts}>
      <Daily metric="revenue" {...{ days, today }} />
      <Daily metric="mrr" {...{ days, today }} />
      <Daily metric="sign_ups" {...{ days, today }} />
      <Daily metric="orders" {...{ days, today }} />
      <Chart
        {...counted}
        title={t('Submissions in 30 days')}
        points={pointsOf('submissions')}
        format={inSubmissions}
        summary={inSubmissions(sumOf('submissions'))}
      />
      <Chart
        {...counted}
        title={t('Failed deliveries in 30 days')}
        points={pointsOf('failed_deliveries')}
        format={inDeliveries}
        summary={inDeliveries(sumOf('failed_deliveries'))}
      />
    </div>
  )
}

const inMembers = (n: number) => t('{n} {n:member|members}', { n })
const inOrders = (n: number) => t('{n} {n:order|orders}', { n })
const inSubmissions = (n: number) => t('{n} {n:submission|submissions}', { n })
const inDeliveries = (n: number) => t('{n} {n:delivery|deliveries}', { n })

const titles = (): Readonly<Record<Metric, string>> => ({
  revenue: t('Revenue, less refunds'),
  mrr: t('Monthly recurring revenue'),
  sign_ups: t('New members'),
  orders: t('Paid orders'),
})

interface DailyProps {
  readonly metric: Metric
  readonly days: number
  readonly today: string
}

/** A metric by day; amounts have a chart for each currency. */
function Daily({ metric, days, today }: DailyProps) {
  const { data: stats, error, refetch } = useDaily(metric, days, today)
  if (error) return <ErrorNotice error={error} onRetry={refetch} />
  if (stats === undefined) return null
  return stats.series.map((series) => <Series key={series.currency} metric={metric} series={series} />)
}

interface SeriesProps {
  readonly metric: Metric
  readonly series: DailyStats['series'][number]
}

function Series({ metric, series: { currency, total, days } }: SeriesProps) {
  const inCounts = metric === 'orders' ? inOrders : inMembers
  const format = currency === null ? inCounts : (value: number) => formatMoney(value, currency)
  const isFlow = metric !== 'mrr'
  const title = titles()[metric]
  return (
    <Chart
      title={currency === null ? title : `${title} (${currency.toUpperCase()})`}
      kind={isFlow ? 'bars' : 'line'}
      points={days.map(({ date, value }) => ({ key: date, value }))}
      format={format}
      labelOf={formatDay}
      keyTitle={t('Day')}
      summary={isFlow ? t('{sum} in all', { sum: format(total) }) : t('{sum} today', { sum: format(total) })}
    />
  )
}
