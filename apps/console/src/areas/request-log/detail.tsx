import { Link, useParams } from '@tanstack/react-router'
import { t } from '../../data/words.ts'
import { Badge } from '../../ui/badge/badge.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { Fields } from '../../ui/fields/fields.tsx'
import { KeyLink } from '../../ui/key-link/key-link.tsx'
import { MemberLink } from '../../ui/member-link/member-link.tsx'
import { Empty, ErrorNotice } from '../../ui/notice/notice.tsx'
import { Page, Section } from '../../ui/page/page.tsx'
import { Status } from '../../ui/status/status.tsx'
import { inMilliseconds } from '../../ui/time/milliseconds.ts'
import { Time } from '../../ui/time/time.tsx'
import { type CausedEvent, type CausedJob, type LoggedRequest, useTrace } from './queries.ts'

interface Place {
  readonly project: string
  readonly side: string
}

/** From a request to its error, its events, and their deliveries: each of them leads further. */
export function RequestDetail() {
  const { id = '', project = '', side = '' } = useParams({ strict: false })
  const { data: trace, error, refetch } = useTrace(id)
  if (trace === undefined)
    return error ? <ErrorNotice error={error} onRetry={refetch} /> : <p role="status">{t('Loading …')}</p>
  const { requests, events, jobs } = trace
  const [request] = requests
  const place = { project, side }
  return (
    <Page
      title={request ? `${request.method} ${request.route}` : t('Request')}
      back={
        <Link to="/$project/$side/requests" params={place}>
          {t('All requests')}
        </Link>
      }
    >
      {requests.map((each) => (
        <RequestFields key={each.at} request={each} />
      ))}
      <Section title={t('Events')}>
        {events.length === 0 && <Empty title={t('It caused no event')} />}
        {events.map((event) => (
          <EventFields key={event.id} event={event} place={place} />
        ))}
      </Section>
      <Section title={t('Background work')}>
        {jobs.length === 0 ? <Empty title={t('It caused no background work')} /> : <Jobs jobs={jobs} />}
      </Section>
    </Page>
  )
}

function RequestFields({ request }: { readonly request: LoggedRequest }) {
  const { id, at, status, code, ms, key_id, member_id, operator_id } = request
  return (
    <Section title={t('Request')}>
      <Fields
        fields={[
          [t('Id'), <code key="id">{id}</code>],
          [t('Time'), <Time key="at" at={at} hasSeconds />],
          [t('Status'), <Status key="status" status={status} />],
          ...(code === null ? [] : [[t('Error code'), <ErrorLink key="code" code={code} />] as const]),
          [t('Took'), inMilliseconds(ms)],
          ...(key_id === null ? [] : [[t('Key'), <KeyLink key="key" id={key_id} />] as const]),
          ...(member_id === null ? [] : [[t('Member'), <MemberLink key="member" id={member_id} />] as const]),
          ...(operator_id === null ? [] : [[t('Operator'), <code key="op">{operator_id}</code>] as const]),
        ]}
      />
    </Section>
  )
}

/** An error's code; its page says what to do. */
function ErrorLink({ code }: { readonly code: string }) {
  return (
    <a href={`/docs/errors/${code}`} target="_blank" rel="noreferrer">
      <code>{code}</code>: {t('what to do')}
    </a>
  )
}

function EventFields({ event, place }: { readonly event: CausedEvent; readonly place: Place }) {
  const { id, type, timestamp, member_id, deliveries } = event
  return (
    <>
      <Fields
        fields={[
          [t('Event'), <code key="type">{type}</code>],
          [
            t('Id'),
            <Link key="id" to="/$project/$side/events/$id" params={{ ...place, id }}>
              <code>{id}</code>
            </Link>,
          ],
          [t('Time'), <Time key="time" at={timestamp} hasSeconds />],
          ...(member_id === null ? [] : [[t('Member'), <MemberLink key="member" id={member_id} />] as const]),
          ...(deliveries.length === 0 ? [[t('Deliveries'), t('No webhook wanted it')] as const] : []),
        ]}
      />
      {deliveries.length > 0 && (
        <DataTable
          label={t('Deliveries of {event}', { event: type })}
          rows={deliveries}
          keyOf={(delivery) => delivery.id}
          linkOf={(delivery) => ({
            to: '/$project/$side/webhooks/$id/$delivery',
            params: { ...place, id: delivery.endpoint_id, delivery: delivery.id },
          })}
          columns={[
            { title: t('Delivery'), cell: (delivery) => <code>{delivery.id}</code> },
            { title: t('Status'), cell: ({ state }) => <Badge state={state} /> },
            { title: t('Attempts'), cell: ({ attempts }) => attempts, isNumber: true },
            {
              title: t('Last answer'),
              cell: ({ last_status, last_error }) =>
                [last_status, last_error].filter((each) => each !== null).join(' ') || '–',
            },
          ]}
        />
      )}
    </>
  )
}

function Jobs({ jobs }: { readonly jobs: readonly CausedJob[] }) {
  return (
    <DataTable
      label={t('Background work')}
      rows={jobs}
      keyOf={({ id }) => id}
      columns={[
        { title: t('Job'), cell: ({ name }) => <code>{name}</code> },
        { title: t('Status'), cell: ({ state }) => <Badge state={state} /> },
        { title: t('Attempts'), cell: ({ attempts }) => attempts, isNumber: true },
        { title: t('Last error'), cell: ({ last_error }) => last_error ?? '–' },
        { title: t('Created'), cell: ({ created_at }) => <Time at={created_at} /> },
      ]}
    />
  )
}
