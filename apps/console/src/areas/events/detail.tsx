import { Link, useParams } from '@tanstack/react-router'
import { t } from '../../data/words.ts'
import { Badge } from '../../ui/badge/badge.tsx'
import { CodeBlock } from '../../ui/code-block/code-block.tsx'
import { CopyButton } from '../../ui/copy-button/copy-button.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { Fields } from '../../ui/fields/fields.tsx'
import { MemberLink } from '../../ui/member-link/member-link.tsx'
import { Empty, ErrorNotice } from '../../ui/notice/notice.tsx'
import { Page, Section } from '../../ui/page/page.tsx'
import { Time } from '../../ui/time/time.tsx'
import { type EventInFull, useEvent } from './queries.ts'

/** An event: what it says, what caused it, and how webhooks got it. */
export function EventDetail() {
  const { id = '', project = '', side = '' } = useParams({ strict: false })
  const { data: event, error, refetch } = useEvent(id)
  if (event === undefined)
    return error ? <ErrorNotice error={error} onRetry={refetch} /> : <p role="status">{t('Loading …')}</p>
  const { type, timestamp, member_id: member, request_id: request, data, deliveries } = event
  const text = JSON.stringify({ type, timestamp, data }, null, 2)
  return (
    <Page
      title={type}
      back={
        <Link to="/$project/$side/events" params={{ project, side }}>
          {t('All events')}
        </Link>
      }
    >
      <Section title={t('Event')}>
        <Fields
          fields={[
            [t('Id'), <code key="id">{event.id}</code>],
            [t('Time'), <Time key="time" at={timestamp} hasSeconds />],
            [t('Member'), member !== null && <MemberLink id={member} />],
            [
              t('Cause'),
              request !== null && (
                <Link to="/$project/$side/requests/$id" params={{ project, side, id: request }}>
                  <code>{request}</code>
                </Link>
              ),
            ],
          ]}
        />
      </Section>
      <Section title={t('What webhooks get')}>
        <CodeBlock label={t('What webhooks get')} text={text} />
        <div>
          <CopyButton text={text} />
        </div>
      </Section>
      <Section title={t('Deliveries')}>
        <Deliveries of={deliveries} />
      </Section>
    </Page>
  )
}

function Deliveries({ of }: { readonly of: EventInFull['deliveries'] }) {
  const { project = '', side = '' } = useParams({ strict: false })
  if (of.length === 0) return <Empty title={t('No webhook wanted it')} />
  return (
    <DataTable
      label={t('Deliveries')}
      rows={of}
      keyOf={({ id }) => id}
      linkOf={({ id: delivery, endpoint_id: id }) => ({
        to: '/$project/$side/webhooks/$id/$delivery',
        params: { project, side, id, delivery },
      })}
      columns={[
        { title: t('Delivery'), cell: ({ id }) => <code>{id}</code> },
        { title: t('Status'), cell: ({ state }) => <Badge state={state} /> },
        { title: t('Attempts'), cell: ({ attempts }) => attempts, isNumber: true },
        {
          title: t('Last answer'),
          cell: ({ last_status, last_error }) =>
            [last_status, last_error].filter((each) => each !== null).join(' ') || '–',
        },
      ]}
    />
  )
}
