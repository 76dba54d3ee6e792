import type { FunnelBy, FunnelStep } from '@guildhall/sdk'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Form } from 'react-aria-components/Form'
import { readListSearch } from '../../data/list-query.ts'
import { spokenLanguage, t } from '../../data/words.ts'
import { Button } from '../../ui/button/button.tsx'
import { Buttons } from '../../ui/button/buttons.tsx'
import { Chart } from '../../ui/chart/chart.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { DateRange } from '../../ui/date-range/date-range.tsx'
import { Empty, ErrorNotice } from '../../ui/notice/notice.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Select } from '../../ui/select/select.tsx'
import { TextField } from '../../ui/text-field/text-field.tsx'
import styles from './list.module.css'
import { funnelBody, useFunnel, useReportSearch } from './queries.ts'
import { AnalyticsViews } from './views.tsx'

type Kind = 'page' | 'event'
interface Step {
  readonly kind: Kind
  readonly value: string
}
/** Most steps of a funnel, as the API takes them. */
const MOST = 10
const FIRST: readonly Step[] = [
  { kind: 'page', value: '/' },
  { kind: 'page', value: '' },
]

/** How many of those who did the first step did the next ones, in order. */
export function FunnelReport() {
  const { search, range } = useReportSearch()
  const navigate = useNavigate()
  const [steps, setSteps] = useState(FIRST)
  const [by, setBy] = useState<FunnelBy>('visitors')
  const [asked, setAsked] = useState<readonly FunnelStep[]>()
  const { data, error, refetch } = useFunnel(asked, by, range)
  const wanted = steps.map(({ kind, value }) => ({ [kind]: value }))
  const set = (at: number, change: Partial<Step>) =>
    setSteps(steps.map((step, i) => (i === at ? { ...step, ...change } : step)))
  return (
    <Page
      title={t('Funnel')}
      sends={{ name: 'analytics.funnel.get', args: [funnelBody({ steps: wanted, by }, range)] }}
      actions={
        <DateRange
          label={t('Days')}
          start={range.start_date}
          end={range.end_date}
          mayBeAll={false}
          onChange={({ start, end }) =>
            navigate({
              to: '.',
              search: readListSearch({ ...search, start_date: start, end_date: end }) as never,
              replace: true,
            })
          }
        />
      }
    >
      <AnalyticsViews />
      <Form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          setAsked(wanted)
        }}
      >
        <Select
          label={t('Who is counted')}
          isLabelShown
          options={[
            { id: 'visitors', name: t('Visitors, within one day') },
            { id: 'members', name: t('Members, in all these days') },
          ]}
          value={by}
          onChange={(id) => setBy(id as FunnelBy)}
        />
        <ol className={styles.steps}>
          {steps.map((step, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place
            <li key={i}>
              <Select
                label={t('Step {n}: what counts', { n: i + 1 })}
                options={[
                  { id: 'page', name: t('A page') },
                  { id: 'event', name: t('An event') },
                ]}
                value={step.kind}
                onChange={(id) => set(i, { kind: id as Kind })}
              />
              <TextField
                name={`step${i}`}
                label={t('Step {n}', { n: i + 1 })}
                description={step.kind === 'event' ? t('Such as sign_up') : t('Such as /prices')}
                isRequired
                value={step.value}
                onChange={(value) => set(i, { value })}
              />
              {steps.length > 2 && (
                <Button
                  label={t('Remove step {n}', { n: i + 1 })}
                  onPress={() => setSteps(steps.filter((_, at) => at !== i))}
                >
                  {t('Remove')}
                </Button>
              )}
            </li>
          ))}
        </ol>
        <Buttons>
          {steps.length < MOST && (
            <Button onPress={() => setSteps([...steps, { kind: 'page', value: '' }])}>
              {t('Add a step')}
            </Button>
          )}
          <Button kind="primary" type="submit">
            {t('Show the funnel')}
          </Button>
        </Buttons>
      </Form>
      {error && <ErrorNotice error={error} onRetry={refetch} />}
      {asked !== undefined && data === undefined && !error && <p role="status">{t('Loading …')}</p>}
      {data !== undefined && data.steps[0]?.count === 0 && (
        <Empty title={t('Nobody did the first step in these days')} />
      )}
      {data !== undefined && data.steps[0]?.count !== 0 && <Result steps={data.steps} />}
    </Page>
  )
}

type Results = NonNullable<ReturnType<typeof useFunnel>['data']>['steps']

function Result({ steps }: { readonly steps: Results }) {
  const rows = steps.map((step, i) => ({ ...step, key: String(i + 1), name: step.event ?? step.page ?? '' }))
  const percent = (n: number) => t('{n} %', { n })
  return (
    <>
      <Chart
        title={t('From step to step')}
        kind="bars"
        points={rows.map(({ key, count }) => ({ key, value: count }))}
        format={(n) => n.toLocaleString(spokenLanguage())}
        labelOf={(key) => rows[Number(key) - 1]?.name ?? key}
        keyTitle={t('Step')}
        summary={t('{n} % did all steps', { n: rows.at(-1)?.conversion_rate ?? 0 })}
      />
      <DataTable
        label={t('Funnel')}
        rows={rows}
        keyOf={({ key }) => key}
        columns={[
          { title: t('Step'), cell: ({ name }) => <code>{name}</code> },
          { title: t('Count'), cell: ({ count }) => count.toLocaleString(spokenLanguage()), isNumber: true },
          { title: t('Of the step before'), cell: ({ step_rate }) => percent(step_rate), isNumber: true },
          {
            title: t('Of the first step'),
            cell: ({ conversion_rate }) => percent(conversion_rate),
            isNumber: true,
          },
        ]}
      />
    </>
  )
}
