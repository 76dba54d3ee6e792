import { Link } from '@tanstack/react-router'
import { useProject } from '../../data/list-query.ts'
import { t } from '../../data/words.ts'
import { Empty, ErrorNotice } from '../../ui/notice/notice.tsx'
import { Section } from '../../ui/page/page.tsx'
import styles from './home.module.css'
import { type Overview, useWaiting } from './queries.ts'

interface Entry {
  readonly count: number
  readonly text: string
  /** The screen that has them. */
  readonly path: string
  readonly search?: Readonly<Record<string, string>>
}

/** What somebody has to do something about, with the screen on which it is done. */
export function Attention({ webhooks }: { readonly webhooks: Overview['webhooks'] }) {
  const { project, side } = useProject()
  const { data: waiting, error, refetch } = useWaiting()
  const entries = [...ofWebhooks(webhooks), ...(waiting === undefined ? [] : ofOthers(waiting))].filter(
    ({ count }) => count > 0,
  )
  return (
    <Section title={t('Needs attention')}>
      {error && <ErrorNotice error={error} onRetry={refetch} />}
      {entries.length > 0 && (
        <ul className={styles.waiting}>
          {entries.map(({ text, path, search = {} }) => (
            <li key={text}>
              <Link to={`/$project/$side/${path}`} params={{ project, side }} search={search as never}>
                <span>{text}</span>
                <span className={styles.go} aria-hidden="true">
                  ›
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {entries.length === 0 && waiting !== undefined && <Empty title={t('Nothing waits for you')} />}
    </Section>
  )
}

const ofWebhooks = ({ failing, disabled, failed_deliveries: failed }: Overview['webhooks']): Entry[] => [
  {
    count: failing,
    text: t('The deliveries of {n} {n:webhook|webhooks} fail', { n: failing }),
    path: 'webhooks',
  },
  {
    count: failed,
    text: t('{n} {n:delivery was|deliveries were} given up in the last 24 hours', { n: failed }),
    path: 'webhooks',
  },
  {
    count: disabled,
    text: t('{n} {n:webhook is|webhooks are} disabled', { n: disabled }),
    path: 'webhooks',
    search: { enabled: 'false' },
  },
]

const ofOthers = ({
  held,
  orders,
  subscriptions,
}: Readonly<Record<'held' | 'orders' | 'subscriptions', number>>): Entry[] => [
  {
    count: held,
    text: t('{n} {n:post waits|posts wait} for a moderator', { n: held }),
    path: 'moderation',
  },
  {
    count: orders,
    text: t('{n} {n:order is|orders are} paid and not fulfilled', { n: orders }),
    path: 'orders',
    search: { status: 'paid' },
  },
  {
    count: subscriptions,
    text: t('{n} {n:subscription is|subscriptions are} past due', { n: subscriptions }),
    path: 'subscriptions',
    search: { status: 'past_due' },
  },
]
