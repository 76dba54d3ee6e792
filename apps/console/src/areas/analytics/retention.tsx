import type { RetentionCohort, RetentionInterval } from '@guildhall/sdk'
import { useNavigate } from '@tanstack/react-router'
import { readListSearch } from '../../data/list-query.ts'
import { spokenLanguage, t } from '../../data/words.ts'
import { Chart } from '../../ui/chart/chart.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { Empty, ErrorNotice } from '../../ui/notice/notice.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Select } from '../../ui/select/select.tsx'
import { formatDay } from '../../ui/time/day.ts'
import styles from './list.module.css'
import { useReportSearch, useRetention } from './queries.ts'
import { AnalyticsViews } from './views.tsx'

const INTERVALS: readonly RetentionInterval[] = ['day', 'week', 'month']

/** How many members come back, by when they were first seen. */
export function RetentionReport() {
  const { search } = useReportSearch()
  const navigate = useNavigate()
  const interval = INTERVALS.find((each) => each === search['interval']) ?? 'week'
  const { data, error, refetch } = useRetention(interval)
  const names = { day: t('Days'), week: t('Weeks'), month: t('Months') }
  const cohorts = data?.cohorts.filter(({ members }) => members > 0) ?? []
  return (
    <Page title={t('Retention')}>
      <AnalyticsViews />
      <div className={styles.form}>
        <Select
          label={t('Groups of')}
          isLabelShown
          options={INTERVALS.map((id) => ({ id, name: names[id] }))}
          value={interval}
          onChange={(id) =>
            navigate({ to: '.', search: readListSearch({ ...search, interval: id }) as never, replace: true })
          }
        />
      </div>
      {error && <ErrorNotice error={error} onRetry={refetch} />}
      {data === undefined && !error && <p role="status">{t('Loading …')}</p>}
      {data !== undefined && cohorts.length === 0 && (
        <Empty title={t('No member was seen')}>
          {t('Members count who are named in an event of the site (user_id).')}
        </Empty>
      )}
      {data !== undefined && cohorts.length > 0 && <Cohorts cohorts={cohorts} timezone={data.timezone} />}
    </Page>
  )
}

interface CohortsProps {
  readonly cohorts: readonly RetentionCohort[]
  readonly timezone: string
}

function Cohorts({ cohorts, timezone }: CohortsProps) {
  const longest = Math.max(...cohorts.map(({ returned }) => returned.length))
  const periods = Array.from({ length: longest }, (_, period) => period)
  const percent = (n: number) => t('{n} %', { n })
  return (
    <>
      <Chart
        title={t('Members who came back')}
        points={periods.map((period) => ({ key: String(period), value: shareOfAll(cohorts, period) }))}
        format={percent}
        labelOf={(key) => t('After {n}', { n: Number(key) })}
        keyTitle={t('After')}
        summary={t('Days of {timezone}', { timezone })}
      />
      <DataTable
        label={t('Retention')}
        rows={cohorts}
        keyOf={({ start }) => start}
        columns={[
          { title: t('First seen'), cell: ({ start }) => formatDay(start.slice(0, 10)) },
          {
            title: t('Members'),
            cell: ({ members }) => members.toLocaleString(spokenLanguage()),
            isNumber: true,
          },
          ...periods.map((period) => ({
            title: t('After {n}', { n: period }),
            cell: ({ members, returned }: RetentionCohort) => {
              const came = returned[period]
              return came === undefined ? '' : percent(Math.round((100 * came) / members))
            },
            isNumber: true,
          })),
        ]}
      />
    </>
  )
}

/** Percent of all members of the groups that have got so far. */
function shareOfAll(cohorts: readonly RetentionCohort[], period: number): number {
  const reached = cohorts.filter(({ returned }) => returned[period] !== undefined)
  const sum = (of: (cohort: RetentionCohort) => number) => reached.reduce((all, each) => all + of(each), 0)
  const members = sum((cohort) => cohort.members)
  return members === 0 ? 0 : Math.round((100 * sum(({ returned }) => returned[period] ?? 0)) / members)
}
