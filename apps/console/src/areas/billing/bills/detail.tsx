import type { Bill } from '@guildhall/sdk'
import { Link, useParams } from '@tanstack/react-router'
import { usePlanChoices } from '../../../data/plan-names.ts'
import { t } from '../../../data/words.ts'
import { Badge } from '../../../ui/badge/badge.tsx'
import { DataTable } from '../../../ui/data-table/data-table.tsx'
import { Fields } from '../../../ui/fields/fields.tsx'
import { MemberLink } from '../../../ui/member-link/member-link.tsx'
import { Money } from '../../../ui/money/money.tsx'
import { Empty, ErrorNotice } from '../../../ui/notice/notice.tsx'
import { Page, Section } from '../../../ui/page/page.tsx'
import { Payments } from '../../../ui/payments/payments.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { BillLines } from '../bill-lines.tsx'
import { useBill, useSubscription } from '../queries.ts'
import { reasonOf } from '../reason.ts'
import { BillActs } from './acts.tsx'

export function BillDetail() {
  const { id = '', project = '', side = '' } = useParams({ strict: false })
  const { data: bill, error, refetch } = useBill(id)
  if (bill === undefined)
    return error ? <ErrorNotice error={error} onRetry={refetch} /> : <p role="status">{t('Loading …')}</p>
  return (
    <Page
      title={t('Bill {number}', { number: bill.number })}
      back={
        <Link to="/$project/$side/bills" params={{ project, side }}>
          {t('All bills')}
        </Link>
      }
      actions={<BillActs bill={bill} />}
    >
      <BillFields bill={bill} />
      <Section title={t('Lines')}>
        <BillLines label={t('Lines')} lines={bill.lines} currency={bill.currency} total={bill.total} />
      </Section>
      <Section title={t('Payments')}>
        <Payments payments={bill.payments} />
      </Section>
      <Section title={t('Refunds')}>
        <Refunds bill={bill} />
      </Section>
    </Page>
  )
}

function BillFields({ bill }: { readonly bill: Bill }) {
  const { project = '', side = '' } = useParams({ strict: false })
  const { data: subscription } = useSubscription(bill.subscription_id)
  const { nameOf } = usePlanChoices()
  return (
    <Fields
      fields={[
        [t('Id'), <code key="id">{bill.id}</code>],
        [t('Member'), <MemberLink key="member" id={bill.member_id} />],
        [
          t('Subscription'),
          <Link
            key="subscription"
            to="/$project/$side/subscriptions/$id"
            params={{ project, side, id: bill.subscription_id }}
          >
            {subscription === undefined ? '…' : <bdi>{nameOf(subscription.plan_id)}</bdi>}
          </Link>,
        ],
        [t('Status'), <Badge key="status" state={bill.status} />],
        [t('For'), reasonOf(bill.reason)],
        [t('Total'), <Money key="total" amount={bill.total} currency={bill.currency} />],
        [t('Refunded'), <Money key="refunded" amount={bill.amount_refunded} currency={bill.currency} />],
        [t('Due'), <Time key="due" at={bill.due_at} />],
        [t('Paid on'), bill.paid_at && <Time at={bill.paid_at} />],
        [t('Created'), <Time key="created" at={bill.created_at} />],
      ]}
    />
  )
}

const causes = (): Readonly<Record<string, string>> => ({
  request: t('By an operator or a key'),
  provider: t('At the provider'),
  dispute: t('By a dispute'),
})

/** What went back, to whom and why. Credit notes are the refunds to credit. */
function Refunds({ bill: { refunds, currency } }: { readonly bill: Bill }) {
  if (refunds.length === 0) return <Empty title={t('Nothing was refunded')} />
  return (
    <DataTable
      label={t('Refunds')}
      rows={refunds}
      keyOf={({ id }) => id}
      columns={[
        { title: t('Time'), cell: ({ created_at }) => <Time at={created_at} /> },
        { title: t('To'), cell: ({ to }) => (to === 'credit' ? t('Credit') : t('The payer')) },
        { title: t('Status'), cell: ({ status }) => <Badge state={status} /> },
        { title: t('Cause'), cell: ({ cause }) => causes()[cause] ?? cause },
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
