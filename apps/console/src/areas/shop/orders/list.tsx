import type { OrderSummary } from '@guildhall/sdk'
import { useRights } from '../../../data/role.ts'
import { t } from '../../../data/words.ts'
import { Badge } from '../../../ui/badge/badge.tsx'
import { useSelection } from '../../../ui/data-table/use-selection.ts'
import { ExportButton } from '../../../ui/export-button/export-button.tsx'
import { ListScreen } from '../../../ui/list-screen/list-screen.tsx'
import { MemberLink } from '../../../ui/member-link/member-link.tsx'
import { Money } from '../../../ui/money/money.tsx'
import { Empty } from '../../../ui/notice/notice.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { ORDER_STATES, useOrders } from '../queries.ts'
import { BulkOrders } from './bulk.tsx'

export function OrderList() {
  const list = useOrders()
  const { canChange } = useRights()
  const selection = useSelection({
    list,
    keyOf: ({ id }: OrderSummary) => id,
    nameOf: ({ number }) => number,
  })
  return (
    <ListScreen
      title={t('Orders')}
      list={list}
      actions={<ExportButton of="orders" filters={list.search} />}
      searchLabel={t('Search by number, product or buyer')}
      dates={t('Created')}
      filters={[
        { name: 'status', label: t('Status'), values: ORDER_STATES },
        { name: 'member_id', label: t('Member id') },
      ]}
      {...(canChange && {
        selection,
        bulkActs: <BulkOrders selection={selection} fetchAll={list.fetchAll} />,
      })}
      keyOf={({ id }) => id}
      linkOf={({ id }) => ({ to: '/$project/$side/orders/$id', params: { ...list.params, id } })}
      columns={[
        { title: t('Order'), cell: ({ number }) => <code>{number}</code> },
        { title: t('Member'), cell: ({ member_id }) => <MemberLink id={member_id} /> },
        { title: t('Status'), cell: ({ status }) => <Badge state={status} /> },
        {
          title: t('Pieces'),
          cell: ({ items }) => items.reduce((sum, { quantity }) => sum + quantity, 0),
          isNumber: true,
          hideBelow: 850,
        },
        {
          title: t('Total'),
          cell: ({ total, currency }) => <Money amount={total} currency={currency} />,
          sort: 'total',
          isNumber: true,
        },
        {
          title: t('Refunded'),
          cell: ({ refunded_amount: amount, currency }) =>
            amount === 0 ? '–' : <Money amount={amount} currency={currency} />,
          isNumber: true,
          hideBelow: 850,
        },
        {
          title: t('Created'),
          cell: ({ created_at }) => <Time at={created_at} />,
          sort: 'created_at',
          hideBelow: 700,
        },
      ]}
      empty={
        <Empty title={t('There are no orders yet')}>
          {t('An order appears here when a member checks out.')}
        </Empty>
      }
    />
  )
}
