import type { FormSummary } from '@guildhall/sdk'
import { spokenLanguage, t } from '../../data/words.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { ErrorNotice } from '../../ui/notice/notice.tsx'
import { useSummary } from './queries.ts'

type Summarized = FormSummary['fields'][number]

/** How often each field was answered, and each option chosen. */
export function Summary({ id }: { readonly id: string }) {
  const { data: summary, error, refetch } = useSummary(id)
  if (summary === undefined)
    return error ? <ErrorNotice error={error} onRetry={refetch} /> : <p role="status">{t('Loading …')}</p>
  return (
    <>
      <p>
        {t('{received} received, {spam} spam', {
          received: summary.submissions,
          spam: summary.spam,
        })}
      </p>
      <DataTable
        label={t('Answers counted')}
        rows={summary.fields}
        keyOf={({ id: field }) => field}
        columns={[
          { title: t('Field'), cell: ({ label }) => <bdi>{label}</bdi> },
          {
            title: t('Answered'),
            cell: ({ answered }) => answered.toLocaleString(spokenLanguage()),
            isNumber: true,
          },
          { title: t('Most often'), cell: mostOften },
          {
            title: t('Average'),
            cell: ({ average }) => (average === undefined ? '–' : average.toLocaleString(spokenLanguage())),
            isNumber: true,
          },
        ]}
      />
    </>
  )
}

const MOST_SHOWN = 3

const mostOften = ({ values = [] }: Summarized) =>
  values
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count)
    .slice(0, MOST_SHOWN)
    .map(({ label, count }) => `${label} (${count.toLocaleString(spokenLanguage())})`)
    .join(', ') || '–'
