import type { AnalyticsStats, BreakdownItem } from '@guildhall/sdk'
import { useNavigate } from '@tanstack/react-router'
import { readListSearch } from '../../data/list-query.ts'
import { spokenLanguage, t } from '../../data/words.ts'
import { Chart } from '../../ui/chart/chart.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { DateRange } from '../../ui/date-range/date-range.tsx'
import { Empty, ErrorNotice } from '../../ui/notice/notice.tsx'
import { Page, Section } from '../../ui/page/page.tsx'
import { Select } from '../../ui/select/select.tsx'
import { formatDay } from '../../ui/time/day.ts'
import styles from './list.module.css'
import { useBreakdown, useRealtime, useReportSearch, useSeries, useStats } from './queries.ts'
import { valueName } from './value-name.ts'
import { AnalyticsViews } from './views.tsx'

/** Visits of the sites of a project. */
export function AnalyticsReport() {
  const { search, range } = useReportSearch()
  const navigate = useNavigate()
  const change = (changes: object) =>
    navigate({ to: '.', search: readListSearch({ ...search, ...changes }) as never, replace: true })
  const { data: stats, error, refetch } = useStats(range)
  return (
    <Page
      title={t('Analytics')}
      actions={
        <DateRange
          label={t('Days')}
          start={range.start_date}
          end={range.end_date}
          mayBeAll={false}
          onChange={({ start, end }) => change({ start_date: start, end_date: end })}
        />
      }
    >
      <AnalyticsViews />
      {error && <ErrorNotice error={error} onRetry={refetch} />}
      {stats === undefined && !error && <p role="status">{t('Loading …')}</p>}
      {stats !== undefined && <Numbers stats={stats} />}
      <Series range={range} />
      <Breakdown
        range={range}
        dimension={String(search['dimension'] ?? 'page')}
        onDimension={(dimension) => change({ dimension })}
      />
    </Page>
  )
}

const inVisitors = (n: number) => t('{n} {n:visitor|visitors}', { n })
const inViews = (n: number) => t('{n} page {n:view|views}', { n })
const inPercent = (n: number) => t('{n} %', { n: n })
/** Such as 5 min 39 s: of a visit nobody wants to divide seconds by 60. */
function inMinutes(seconds: number): string {
  const n = Math.round(seconds)
  if (n < 60) return t('{n} s', { n })
  return t('{minutes} min {seconds} s', { minutes: Math.floor(n / 60), seconds: n % 60 })
}

/** The numbers of the range; beside each the one of the range before. */
function Numbers({ stats }: { readonly stats: AnalyticsStats }) {
  const { data: now } = useRealtime()
  const { previous } = stats
  const rows: readonly (readonly [name: string, value: string, before: string | undefined])[] = [
    [t('Visitors'), inVisitors(stats.visitors ?? 0), before(previous?.visitors, inVisitors)],
    [t('Page views'), inViews(stats.pageviews ?? 0), before(previous?.pageviews, inViews)],
    [t('Bounced visits'), inPercent(stats.bounce_rate ?? 0), before(previous?.bounce_rate, inPercent)],
    [
      t('Length of a visit'),
      inMinutes(stats.visit_duration ?? 0),
      before(previous?.visit_duration, inMinutes),
    ],
    [
      t('Visitors who reached a goal'),
      inPercent(stats.conversion_rate ?? 0),
      before(previous?.conversion_rate, inPercent),
    ],
    ...(now === undefined
      ? []
      : [[t('In the last five minutes'), inVisitors(now.visitors), undefined] as const]),
  ]
  return (
    <dl className={styles.numbers}>
      {rows.map(([name, value, earlier]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className={styles.value}>{value}</dd>
          <dd className={styles.before}>{earlier}</dd>
        </div>
      ))}
    </dl>
  )
}

const before = (value: number | undefined, format: (value: number) => string): string | undefined =>
  value === undefined ? undefined : t('before: {value}', { value: format(value) })

type Range = ReturnType<typeof useReportSearch>['range']

function Series({ range }: { readonly range: Range }) {
  const { data: series, error, refetch } = useSeries(range)
  if (error) return <ErrorNotice error={error} onRetry={refetch} />
  if (series === undefined) return null
  // A point begins with its day in the zone of the project.
  const dayOf = (start: string) => start.slice(0, 10)
  const charts = [
    { title: t('Visitors by day'), name: 'visitors', format: inVisitors },
    { title: t('Page views by day'), name: 'pageviews', format: inViews },
  ] as const
  return (
    <div className={styles.charts}>
      {charts.map(({ title, name, format }) => (
        <Chart
          key={name}
          title={title}
          points={series.points.map((point) => ({ key: dayOf(point.start), value: point[name] ?? 0 }))}
          format={format}
          labelOf={formatDay}
          keyTitle={t('Day')}
          summary={t('Days of {timezone}', { timezone: series.timezone })}
        />
      ))}
    </div>
  )
}

const dimensions = (): readonly { readonly id: string; readonly name: string }[] => [
  { id: 'page', name: t('Pages') },
  { id: 'entry_page', name: t('Entry pages') },
  { id: 'exit_page', name: t('Exit pages') },
  { id: 'referrer', name: t('Referrers') },
  { id: 'source', name: t('Sources') },
  { id: 'channel', name: t('Channels') },
  { id: 'utm_campaign', name: t('Campaigns') },
  { id: 'country', name: t('Countries') },
  { id: 'device', name: t('Devices') },
  { id: 'browser', name: t('Browsers') },
  { id: 'os', name: t('Operating systems') },
  { id: 'event', name: t('Events of the site') },
]

interface BreakdownProps {
  readonly range: Range
  readonly dimension: string
  readonly onDimension: (dimension: string) => void
}

function Breakdown({ range, dimension, onDimension }: BreakdownProps) {
  const all = dimensions()
  const chosen = all.find(({ id }) => id === dimension) ?? all[0]
  const { data: items, error, refetch } = useBreakdown(chosen?.id ?? 'page', range)
  const title = chosen?.name ?? ''
  const count = (name: 'visitors' | 'pageviews' | 'events') => (item: BreakdownItem) =>
    (item[name] ?? 0).toLocaleString(spokenLanguage())
  return (
    <Section title={title}>
      <Select label={t('Broken down by')} options={all} value={chosen?.id ?? 'page'} onChange={onDimension} />
      {error && <ErrorNotice error={error} onRetry={refetch} />}
      {items?.length === 0 && (
        <Empty title={t('No visit was counted')}>
          {t('Put the script /t.js with a public key into your pages. It sets no cookie.')}
        </Empty>
      )}
      {items !== undefined && items.length > 0 && (
        <DataTable
          label={title}
          rows={items}
          keyOf={({ value }) => value}
          columns={[
            { title, cell: ({ value }) => <bdi>{valueName(chosen?.id ?? 'page', value)}</bdi> },
            { title: t('Visitors'), cell: count('visitors'), isNumber: true },
            { title: t('Page views'), cell: count('pageviews'), isNumber: true },
            { title: t('Events of the site'), cell: count('events'), isNumber: true },
          ]}
        />
      )}
    </Section>
  )
}
