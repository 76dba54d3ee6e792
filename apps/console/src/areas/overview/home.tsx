import { useNavigate, useSearch } from '@tanstack/react-router'
import { spokenLanguage, t } from '../../data/words.ts'
import { formatMoney } from '../../ui/money/format-money.ts'
import { ErrorNotice } from '../../ui/notice/notice.tsx'
import { Page, Section } from '../../ui/page/page.tsx'
import { Select } from '../../ui/select/select.tsx'
import { TeamInvitations } from '../../ui/team-invitations/team-invitations.tsx'
import { Attention } from './attention.tsx'
import { Charts } from './charts.tsx'
import { FirstSteps } from './first-steps.tsx'
import styles from './home.module.css'
import { type Overview, useOverview } from './queries.ts'

const RANGES = [7, 30, 90, 365]
const USUAL_DAYS = 30

/** How a project is, what waits for somebody, and what happened lately. */
export function ProjectHome() {
  const { data: overview, error, refetch } = useOverview()
  const { days: asked } = useSearch({ strict: false }) as { days?: string }
  const navigate = useNavigate()
  const days = RANGES.find((each) => String(each) === asked) ?? USUAL_DAYS
  return (
    <Page
      title={t('Home')}
      actions={
        <Select
          label={t('Days of the charts')}
          options={RANGES.map((each) => ({
            id: String(each),
            name: t('Last {days} {days:day|days}', { days: each }),
          }))}
          value={String(days)}
          onChange={(id) => navigate({ to: '.', search: { days: id } as never, replace: true })}
        />
      }
    >
      <TeamInvitations />
      {error && <ErrorNotice error={error} onRetry={refetch} />}
      {overview === undefined && !error && <p role="status">{t('Loading …')}</p>}
      {overview !== undefined && (
        <>
          {overview.members.total === 0 && <FirstSteps />}
          <Attention webhooks={overview.webhooks} />
          <Numbers overview={overview} />
          <Section title={t('By day')}>
            <p className={styles.soft}>
              {t('Days begin and end in the time zone of the project: {timezone}.', {
                timezone: overview.timezone,
              })}
            </p>
            <Charts days={days} overview={overview} />
          </Section>
        </>
      )}
    </Page>
  )
}

/** What there is now. */
function Numbers({ overview: { members, subscriptions, submissions } }: { readonly overview: Overview }) {
  const numbers: readonly (readonly [name: string, value: string, more: string])[] = [
    [
      t('Members'),
      members.total.toLocaleString(spokenLanguage()),
      t('{active} active, {pending} pending, {inactive} inactive', members),
    ],
    ...subscriptions.map(
      ({ currency, mrr }) =>
        [t('Monthly recurring revenue'), formatMoney(mrr, currency), t('at this moment')] as const,
    ),
    [
      t('Submissions of forms'),
      submissions.received.toLocaleString(spokenLanguage()),
      t('and {spam} that {spam:looks|look} like spam', submissions),
    ],
  ]
  return (
    <Section title={t('Now')}>
      <dl className={styles.numbers}>
        {numbers.map(([name, value, more]) => (
          <div key={`${name} ${value}`}>
            <dt>{name}</dt>
            <dd className={styles.value}>{value}</dd>
            <dd className={styles.soft}>{more}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
