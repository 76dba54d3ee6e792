import { t } from '../../../data/words.ts'
import { Badge } from '../../../ui/badge/badge.tsx'
import { ExportButton } from '../../../ui/export-button/export-button.tsx'
import { ListScreen } from '../../../ui/list-screen/list-screen.tsx'
import { MemberLink } from '../../../ui/member-link/member-link.tsx'
import { Money } from '../../../ui/money/money.tsx'
import { Empty } from '../../../ui/notice/notice.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { BILL_STATES, useBills } from '../queries.ts'

export function BillList() {
  const list = useBills()
  return (
    <ListScreen
      title={t('Bills')}
      list={list}
      actions={<ExportButton of="bills" filters={list.search} />}
      searchLabel={t('Search by member')}
      dates={t('Created')}
      filters={[
        { name: 'status', label: t('Status'), values: BILL_STATES },
        { name: 'member_id', label: t('Member id') },
        { name: 'subscription_id', label: t('Subscription id') },
      ]}
      keyOf={({ id }) => id}
      linkOf={({ id }) => ({ to: '/$project/$side/bills/$id', params: { ...list.params, id } })}
      columns={[
        { title: t('Number'), cell: ({ number }) => number, sort: 'number' },
        { title: t('Member'), cell: ({ member_id }) => <MemberLink id={member_id} /> },
        { title: t('Status'), cell: ({ status }) => <Badge state={status} /> },
        {
          title: t('Total'),
          cell: ({ total, currency }) => <Money amount={total} currency={currency} />,
          isNumber: true,
        },
        {
          title: t('Refunded'),
          cell: ({ amount_refunded: amount, currency }) =>
            amount === 0 ? '–' : <Money amount={amount} currency={currency} />,
          isNumber: true,
        },
        { title: t('Due'), cell: ({ due_at }) => <Time at={due_at} />, hideBelow: 1000 },
        {
          title: t('Created'),
          cell: ({ created_at }) => <Time at={created_at} />,
          sort: 'created_at',
          hideBelow: 700,
        },
      ]}
      empty={
        <Empty title={t('There are no bills yet')}>
          {t('A bill appears here when a subscription begins, is renewed or changes.')}
        </Empty>
      }
    />
  )
}
