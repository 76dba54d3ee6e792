import type { WebhookDelivery } from '@guildhall/sdk'
import { Link, useParams } from '@tanstack/react-router'
import { useRights } from '../../data/role.ts'
import { t } from '../../data/words.ts'
import { Badge } from '../../ui/badge/badge.tsx'
import { Fields } from '../../ui/fields/fields.tsx'
import { List } from '../../ui/list-screen/list-screen.tsx'
import { Empty, ErrorNotice } from '../../ui/notice/notice.tsx'
import { Page, Section } from '../../ui/page/page.tsx'
import { Status } from '../../ui/status/status.tsx'
import { Time } from '../../ui/time/time.tsx'
import { WebhookActs } from './acts.tsx'
import { faultInWords } from './faults.ts'
import { stateOf } from './list.tsx'
import { useDeliveries, useWebhook } from './queries.ts'
import { WebhookNumbers } from './stats.tsx'

const reasons = (): Readonly<Record<string, string>> => ({
  requested: t('It was disabled by hand'),
  gone: t('It answered 410'),
  failing: t('No delivery succeeded for five days'),
})

export function WebhookDetail() {
  const { id = '', project = '', side = '' } = useParams({ strict: false })
  const { data: read, error, refetch } = useWebhook(id)
  const { canChange } = useRights()
  if (read === undefined)
    return error ? <ErrorNotice error={error} onRetry={refetch} /> : <p role="status">{t('Loading …')}</p>
  const { value: webhook } = read
  const { disabled_reason: reason } = webhook
  return (
    <Page
      title={webhook.description || webhook.url}
      back={
        <Link to="/$project/$side/webhooks" params={{ project, side }}>
          {t('All webhooks')}
        </Link>
      }
      actions={canChange && <WebhookActs read={read} />}
    >
      <Section title={t('Webhook')}>
        <Fields
          fields={[
            [t('Id'), <code key="id">{webhook.id}</code>],
            [t('Address'), webhook.url],
            [t('Events'), <code key="events">{webhook.events.join(', ')}</code>],
            [t('Status'), <Badge key="status" state={stateOf(webhook)} />],
            ...(reason === null ? [] : [[t('Why'), reasons()[reason] ?? reason] as const]),
            [t('Failing since'), webhook.failing_since && <Time at={webhook.failing_since} />],
            [t('Created'), <Time key="created" at={webhook.created_at} />],
          ]}
        />
      </Section>
      <WebhookNumbers id={id} />
      <Section title={t('Deliveries')}>
        <Deliveries id={id} />
      </Section>
    </Page>
  )
}

function Deliveries({ id }: { readonly id: string }) {
  const list = useDeliveries(id)
  return (
    <List
      title={t('Deliveries')}
      list={list}
      filters={[
        { name: 'status', label: t('Status'), values: ['pending', 'sending', 'delivered', 'failed'] },
        { name: 'event_type', label: t('Type of event') },
      ]}
      keyOf={({ id: delivery }) => delivery}
      linkOf={({ id: delivery }) => ({
        to: '/$project/$side/webhooks/$id/$delivery',
        params: { ...list.params, id, delivery },
      })}
      columns={[
        { title: t('Event'), cell: ({ event_type }) => <code>{event_type}</code> },
        { title: t('Status'), cell: ({ status }) => <Badge state={status} /> },
        { title: t('Attempts'), cell: ({ attempt_count }) => attempt_count, isNumber: true },
        { title: t('Last answer'), cell: (delivery) => <LastAnswer of={delivery} /> },
        { title: t('Created'), cell: ({ created_at }) => <Time at={created_at} />, sort: 'created_at' },
      ]}
      empty={
        <Empty title={t('Nothing was sent yet')}>
          {t('A delivery appears here when one of its events happens. They are kept for 30 days.')}
        </Empty>
      }
    />
  )
}

/** What the endpoint answered last, or why there was no answer. */
export function LastAnswer({
  of: { last_status, last_error },
}: {
  readonly of: Pick<WebhookDelivery, 'last_status' | 'last_error'>
}) {
  if (last_status === null && last_error === null) return '–'
  return (
    <>
      {last_status !== null && <Status status={last_status} />}{' '}
      {last_error !== null && faultInWords(last_error)}
    </>
  )
}
