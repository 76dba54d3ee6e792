import type { Payment } from '@guildhall/sdk'
import { t } from '../../data/words.ts'
import { Badge } from '../badge/badge.tsx'
import { DataTable } from '../data-table/data-table.tsx'
import { Money } from '../money/money.tsx'
import { Empty } from '../notice/notice.tsx'
import { Time } from '../time/time.tsx'

/** Payments of an order or a bill, with why they failed and with their disputes. */
export function Payments({ payments }: { readonly payments: readonly Payment[] }) {
  if (payments.length === 0) return <Empty title={t('Nothing was paid yet')} />
  return (
    <DataTable
      label={t('Payments')}
      rows={payments}
      keyOf={({ id }) => id}
      columns={[
        { title: t('Time'), cell: ({ created_at }) => <Time at={created_at} /> },
        { title: t('Status'), cell: ({ status }) => <Badge state={status} /> },
        {
          title: t('Amount'),
          cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
          isNumber: true,
        },
        { title: t('Failure'), cell: ({ failure }) => failure ?? '–' },
        { title: t('Dispute'), cell: (payment) => <Dispute of={payment} /> },
        { title: t('At the provider'), cell: ({ provider_reference: at }) => (at ? <code>{at}</code> : '–') },
      ]}
    />
  )
}

/** A payer asked the bank for the money back. */
function Dispute({ of: { dispute, dispute_reason: reason } }: { readonly of: Payment }) {
  if (dispute === null) return '–'
  return (
    <>
      <Badge state={`dispute_${dispute}`} /> {reason}
    </>
  )
}
