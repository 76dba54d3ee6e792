import { useQuery } from '@tanstack/react-query'
import { useProject } from '../../data/list-query.ts'
import { spokenLanguage, t } from '../../data/words.ts'
import { Fields } from '../../ui/fields/fields.tsx'
import { ErrorNotice } from '../../ui/notice/notice.tsx'
import { Section } from '../../ui/page/page.tsx'
import { Time } from '../../ui/time/time.tsx'

const HOURS = 24

/** How the deliveries of a webhook went in the last day. */
export function WebhookNumbers({ id }: { readonly id: string }) {
  const { project, side, client } = useProject()
  const { data, error, refetch } = useQuery({
    queryKey: [project, side, 'webhooks', id, 'stats'],
    queryFn: ({ signal }) => client.webhooks.stats.get(id, { hours: HOURS }, { signal }),
  })
  if (error) return <ErrorNotice error={error} onRetry={refetch} />
  if (data === undefined) return null
  const inMs = (ms: number | null) => ms !== null && t('{n} ms', { n: Math.round(ms) })
  const share = data.success_rate
  return (
    <Section title={t('The last 24 hours')}>
      <Fields
        fields={[
          [t('Delivered deliveries'), data.delivered.toLocaleString(spokenLanguage())],
          [t('Failed deliveries'), data.failed.toLocaleString(spokenLanguage())],
          [t('Waiting deliveries'), data.pending.toLocaleString(spokenLanguage())],
          [t('The oldest waits since'), data.oldest_due_at && <Time key="due" at={data.oldest_due_at} />],
          [
            t('Attempts that succeeded'),
            share !== null &&
              t('{percent} % of {attempts}', {
                percent: Math.floor(share * 1_000) / 10,
                attempts: data.attempts,
              }),
          ],
          [t('Half of the answers within'), inMs(data.p50_ms)],
          [t('95 % of the answers within'), inMs(data.p95_ms)],
        ].map(([name, value]) => [name as string, value === false ? null : value] as const)}
      />
    </Section>
  )
}
