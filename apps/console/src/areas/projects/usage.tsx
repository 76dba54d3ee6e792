import { useProject } from '../../data/list-query.ts'
import { spokenLanguage, t } from '../../data/words.ts'
import { bytesInWords } from '../../ui/bytes/bytes.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { Empty, ErrorNotice } from '../../ui/notice/notice.tsx'
import { Page, Section } from '../../ui/page/page.tsx'
import { formatMonth } from '../../ui/time/day.ts'
import { type Month, useOfProject } from './queries.ts'
import { Storage } from './storage.tsx'

/** What the present side has used, month by month. */
export function Usage() {
  const { side } = useProject()
  const { data: months, error, refetch } = useOfProject<readonly Month[]>('usage')
  const columns = [
    { title: t('Requests'), of: 'requests' },
    { title: t('Active members'), of: 'active_members' },
    { title: t('Mails'), of: 'mails' },
    { title: t('Webhook messages'), of: 'deliveries' },
    { title: t('Events'), of: 'events' },
  ] as const
  return (
    <Page title={t('Usage')}>
      <Section title={t('Files')}>
        <Storage />
      </Section>
      <Section title={t('By month')}>
        {error && <ErrorNotice error={error} onRetry={refetch} />}
        {months === undefined && !error && <p role="status">{t('Loading …')}</p>}
        {months?.length === 0 && (
          <Empty title={t('Nothing was used yet')}>
            {t('Requests are counted within seconds, all else within an hour.')}
          </Empty>
        )}
        {months !== undefined && months.length > 0 && (
          <DataTable
            label={t('Usage')}
            rows={months}
            keyOf={({ month }) => month}
            columns={[
              { title: t('Month'), cell: ({ month }) => formatMonth(month) },
              ...columns.map(({ title, of }) => ({
                title,
                cell: (month: Month) => month[side][of].toLocaleString(spokenLanguage()),
                isNumber: true,
              })),
              {
                title: t('Files at the most'),
                cell: (month: Month) => bytesInWords(month[side].storage_bytes),
                isNumber: true,
              },
            ]}
          />
        )}
      </Section>
    </Page>
  )
}
