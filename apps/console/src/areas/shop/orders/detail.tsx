import type { Order } from '@guildhall/sdk'
import { Link, useParams } from '@tanstack/react-router'
import { countryName } from '../../../data/country-name.ts'
import { t, wordOf } from '../../../data/words.ts'
import { Badge } from '../../../ui/badge/badge.tsx'
import { DataTable } from '../../../ui/data-table/data-table.tsx'
import { Fields } from '../../../ui/fields/fields.tsx'
import { MemberLink } from '../../../ui/member-link/member-link.tsx'
import { Money } from '../../../ui/money/money.tsx'
import { Empty, ErrorNotice } from '../../../ui/notice/notice.tsx'
import { Page, Section } from '../../../ui/page/page.tsx'
import { Payments } from '../../../ui/payments/payments.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { useOrder } from '../queries.ts'
import { OrderActs } from './acts.tsx'
import { OrderLines } from './lines.tsx'

export function OrderDetail() {
  const { id = '', project = '', side = '' } = useParams({ strict: false })
  const { data: order, error, refetch } = useOrder(id)
  if (order === undefined)
    return error ? <ErrorNotice error={error} onRetry={refetch} /> : <p role="status">{t('Loading …')}</p>
  return (
    <Page
      title={t('Order {number}', { number: order.number })}
      back={
        <Link to="/$project/$side/orders" params={{ project, side }}>
          {t('All orders')}
        </Link>
      }
      actions={<OrderActs order={order} />}
    >
      <OrderFields order={order} />
      <Section title={t('Items')}>
        <OrderLines order={order} />
      </Section>
      <Section title={t('Payments')}>
        <Payments payments={order.payment === null ? [] : [order.payment]} />
      </Section>
      <Section title={t('Refunds')}>
        <Refunds order={order} />
      </Section>
      <Section title={t('History')}>
        <History order={order} />
      </Section>
    </Page>
  )
}

const reasons = (): Readonly<Record<string, string>> => ({
  expired: t('It was not paid in time'),
  by_customer: t('The buyer canceled it'),
  by_operator: t('An operator or a key canceled it'),
})

function OrderFields({ order }: { readonly order: Order }) {
  const { cancel_reason: why, tracking_number: parcel, tracking_url: follow } = order
  return (
    <Fields
      fields={[
        [t('Id'), <code key="id">{order.id}</code>],
        [t('Member'), <MemberLink key="member" id={order.member_id} />],
        [t('Status'), <Badge key="status" state={order.status} />],
        ...(why === null ? [] : [[t('Why'), reasons()[why] ?? why] as const]),
        ...(order.status === 'pending_payment'
          ? [[t('Reserved until'), <Time key="until" at={order.reserved_until} />] as const]
          : []),
        [t('Paid'), <Money key="paid" amount={order.paid_amount} currency={order.currency} />],
        [t('Refunded'), <Money key="refunded" amount={order.refunded_amount} currency={order.currency} />],
        [t('Address of delivery'), addressOf(order.addresses?.shipping)],
        [t('Address of the bill'), addressOf(order.addresses?.billing)],
        [t('Note'), order.note],
        [
          t('Parcel'),
          follow ? (
            <a key="parcel" href={follow} rel="noreferrer">
              {parcel ?? follow}
            </a>
          ) : (
            parcel
          ),
        ],
        [t('Created'), <Time key="created" at={order.created_at} />],
        [t('Changed'), <Time key="changed" at={order.updated_at} />],
      ]}
    />
  )
}

type Address = NonNullable<NonNullable<Order['addresses']>['shipping']>

/** The lines of an address that are set, in the order in which they stand on a letter. */
function addressOf(address: Address | undefined) {
  if (address === undefined) return null
  const { name, company, line1, line2, postal_code, city, region, country, phone } = address
  const place = [postal_code, city].filter(Boolean).join(' ')
  const lines = [name, company, line1, line2, place, region, country && countryName(country), phone].filter(
    Boolean,
  )
  return lines.map((line) => (
    <div key={line}>
      <bdi>{line}</bdi>
    </div>
  ))
}

function Refunds({ order: { refunds, currency } }: { readonly order: Order }) {
  if (refunds.length === 0) return <Empty title={t('Nothing was refunded')} />
  return (
    <DataTable
      label={t('Refunds')}
      rows={refunds}
      keyOf={({ id }) => id}
      columns={[
        { title: t('Time'), cell: ({ created_at }) => <Time at={created_at} /> },
        { title: t('Status'), cell: ({ status }) => <Badge state={status} /> },
        {
          title: t('Pieces'),
          cell: ({ lines }) => lines.reduce((sum, { quantity }) => sum + quantity, 0),
          isNumber: true,
        },
        { title: t('Back in stock'), cell: ({ restocked }) => (restocked ? t('Yes') : t('No')) },
        { title: t('Why'), cell: ({ reason }) => reason ?? '–' },
        {
          title: t('Amount'),
          cell: ({ amount }) => <Money amount={amount} currency={currency} />,
          isNumber: true,
        },
      ]}
    />
  )
}

/** Every change of the state, with who made it. */
function History({ order: { history } }: { readonly order: Order }) {
  return (
    <DataTable
      label={t('History')}
      rows={history.map((entry, place) => ({ ...entry, place })).toReversed()}
      keyOf={({ place }) => String(place)}
      columns={[
        { title: t('Time'), cell: ({ created_at }) => <Time at={created_at} /> },
        {
          title: t('Status'),
          cell: ({ from, to }) => (
            <>
              {from !== null && (
                <>
                  <Badge state={from} /> →{' '}
                </>
              )}
              <Badge state={to} />
            </>
          ),
        },
        { title: t('By'), cell: ({ by }) => <By id={by} /> },
        { title: t('Why'), cell: ({ reason }) => (reason === null ? '–' : (reasons()[reason] ?? reason)) },
      ]}
    />
  )
}

/** Who made a change: a member, or the id of a key or an operator, or a kind of actor. */
function By({ id }: { readonly id: string }) {
  if (id.startsWith('mem_')) return <MemberLink id={id} />
  return id.includes('_') && /\d/.test(id) ? <code>{id}</code> : wordOf(id)
}
