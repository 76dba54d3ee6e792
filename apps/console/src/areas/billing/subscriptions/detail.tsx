import type { Subscription } from '@guildhall/sdk'
import { Link, useParams } from '@tanstack/react-router'
import { t, wordOf } from '../../../data/words.ts'
import { Badge } from '../../../ui/badge/badge.tsx'
import { DataTable } from '../../../ui/data-table/data-table.tsx'
import { Fields } from '../../../ui/fields/fields.tsx'
import { List } from '../../../ui/list-screen/list-screen.tsx'
import { MemberLink } from '../../../ui/member-link/member-link.tsx'
import { Money } from '../../../ui/money/money.tsx'
import { Empty, ErrorNotice } from '../../../ui/notice/notice.tsx'
import { Page, Section } from '../../../ui/page/page.tsx'
import { PlanLink } from '../../../ui/plan-link/plan-link.tsx'
import { Price } from '../../../ui/price/price.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { BillLines } from '../bill-lines.tsx'
import { useBill, useBillsOf, useMoves, useSubscription, useUpcoming } from '../queries.ts'
import { reasonOf } from '../reason.ts'
import { SubscriptionActs } from './acts.tsx'
import { moveName } from './move-names.ts'

export function SubscriptionDetail() {
  const { id = '', project = '', side = '' } = useParams({ strict: false })
  const { data: subscription, error, refetch } = useSubscription(id)
  if (subscription === undefined)
    return error ? <ErrorNotice error={error} onRetry={refetch} /> : <p role="status">{t('Loading …')}</p>
  return (
    <Page
      title={t('Subscription')}
      back={
        <Link to="/$project/$side/subscriptions" params={{ project, side }}>
          {t('All subscriptions')}
        </Link>
      }
      actions={<SubscriptionActs subscription={subscription} />}
    >
      <SubscriptionFields of={subscription} />
      <NextBill of={subscription} />
      <Section title={t('Bills')}>
        <BillsOf id={id} />
      </Section>
      <Section title={t('Changes')}>
        <Moves id={id} />
      </Section>
    </Page>
  )
}

/** Why a subscription ended, in words. */
const reasons = (): Readonly<Record<string, string>> => ({
  canceled: t('It was canceled'),
  period_end: t('It was canceled for the end of its period'),
  unpaid: t('Its bill was not paid in time'),
  incomplete_expired: t('Its first bill was not paid in time'),
  bill_voided: t('Its first bill was voided'),
  amount_too_small: t('The amount was too small to be charged'),
  dispute_lost: t('A dispute was lost'),
  operator: t('An operator set another plan'),
  member_deleted: t('Its member was deleted'),
})

function SubscriptionFields({ of }: { readonly of: Subscription }) {
  return (
    <Fields
      fields={[
        [t('Id'), <code key="id">{of.id}</code>],
        [t('Member'), <MemberLink key="member" id={of.member_id} />],
        [t('Plan'), <PlanLink key="plan" id={of.plan_id} />],
        [t('Status'), <Badge key="status" state={of.status} />],
        [t('Price'), <Price key="price" of={of} />],
        [
          t('Period'),
          <span key="period">
            <Time at={of.period_start} /> – <Time at={of.period_end} />
          </span>,
        ],
        [t('Trial ends'), of.trial_end && <Time at={of.trial_end} />],
        [t('Ends with the period'), of.cancel_at_period_end ? t('Yes') : t('No')],
        ...(of.next_plan_id === null
          ? []
          : [[t('Plan after the period'), <PlanLink key="next" id={of.next_plan_id} />] as const]),
        ...(of.paused_at === null
          ? []
          : [
              [t('Paused since'), <Time key="paused" at={of.paused_at} />] as const,
              [
                t('Resumes'),
                of.resume_at ? <Time key="resumes" at={of.resume_at} /> : t('When it is resumed'),
              ] as const,
            ]),
        [t('Open bill'), of.open_bill_id && <BillLink key="open" id={of.open_bill_id} />],
        [t('Paid'), of.payment_account_id === null ? t('By hand') : t('By a payment provider')],
        ...(of.canceled_at === null
          ? []
          : [
              [t('Ended'), <Time key="ended" at={of.canceled_at} />] as const,
              [t('Why'), reasons()[of.cancel_reason ?? ''] ?? of.cancel_reason] as const,
            ]),
        [t('Created'), <Time key="created" at={of.created_at} />],
      ]}
    />
  )
}

/** A bill by its number, with a link to it. */
function BillLink({ id }: { readonly id: string }) {
  const { project = '', side = '' } = useParams({ strict: false })
  const { data: bill } = useBill(id)
  return (
    <Link to="/$project/$side/bills/$id" params={{ project, side, id }}>
      {bill?.number ?? '…'}
    </Link>
  )
}

/** What will be charged next, as it stands now. */
function NextBill({ of }: { readonly of: Subscription }) {
  const { data: upcoming, error } = useUpcoming(of.id)
  return (
    <Section title={t('Next bill')}>
      {error && <ErrorNotice error={error} />}
      {upcoming === null && <Empty title={t('No bill follows')} />}
      {upcoming && (
        <>
          <p>
            <Time at={upcoming.date} />
          </p>
          <BillLines
            label={t('Next bill')}
            lines={upcoming.lines}
            currency={upcoming.currency}
            total={upcoming.total}
          />
        </>
      )}
    </Section>
  )
}

function BillsOf({ id }: { readonly id: string }) {
  const { project = '', side = '' } = useParams({ strict: false })
  const { data: bills, error } = useBillsOf(id)
  if (error) return <ErrorNotice error={error} />
  if (bills === undefined) return <p role="status">{t('Loading …')}</p>
  if (bills.length === 0) return <Empty title={t('It has no bill yet')} />
  return (
    <DataTable
      label={t('Bills')}
      rows={bills}
      keyOf={(bill) => bill.id}
      linkOf={(bill) => ({ to: '/$project/$side/bills/$id', params: { project, side, id: bill.id } })}
      columns={[
        { title: t('Number'), cell: ({ number }) => number },
        { title: t('For'), cell: ({ reason }) => reasonOf(reason) },
        { title: t('Status'), cell: ({ status }) => <Badge state={status} /> },
        {
          title: t('Total'),
          cell: ({ total, currency }) => <Money amount={total} currency={currency} />,
          isNumber: true,
        },
        { title: t('Due'), cell: ({ due_at }) => <Time at={due_at} /> },
      ]}
    />
  )
}

/** What happened to it, the newest first, with who did it and why. */
function Moves({ id }: { readonly id: string }) {
  const list = useMoves(id)
  return (
    <List
      title={t('Changes')}
      list={list}
      keyOf={(move) => move.id}
      columns={[
        { title: t('Event'), cell: ({ event }) => moveName(event) },
        {
          title: t('Status'),
          cell: ({ from, to }) => (
            <>
              {from !== null && from !== to && (
                <>
                  <Badge state={from} /> →{' '}
                </>
              )}
              <Badge state={to} />
            </>
          ),
        },
        {
          title: t('Plan'),
          cell: ({ from_plan, to_plan }) =>
            from_plan === null || from_plan.id === to_plan?.id ? (
              <bdi>{to_plan?.name ?? '–'}</bdi>
            ) : (
              <>
                <bdi>{from_plan.name}</bdi> → <bdi>{to_plan?.name ?? '–'}</bdi>
              </>
            ),
        },
        { title: t('By'), cell: ({ by }) => wordOf(by) },
        { title: t('Why'), cell: ({ reason }) => reason ?? '–' },
        { title: t('Time'), cell: ({ occurred_at }) => <Time at={occurred_at} /> },
      ]}
      empty={<Empty title={t('Nothing happened yet')} />}
    />
  )
}
