import type { ListOrdersQuery } from '@guildhall/sdk'
import { useList } from '../../data/list-query.ts'
import { t } from '../../data/words.ts'
import { Badge } from '../../ui/badge/badge.tsx'
import { ListScreen } from '../../ui/list-screen/list-screen.tsx'
import { Money } from '../../ui/money/money.tsx'
import { Empty } from '../../ui/notice/notice.tsx'
import { Time } from '../../ui/time/time.tsx'

const STATES = ['pending_payment', 'paid', 'fulfilled', 'completed', 'canceled', 'refunded']

export function OrderList() {
  const list = useList('orders', (client, query, signal) =>
    client.shop.orders.list(query as ListOrdersQuery, { signal }),
  )
  return (
    <ListScreen
      title={t('Orders')}
      list={list}
      filters={[{ name: 'status', label: t('Status'), values: STATES }]}
      keyOf={({ id }) => id}
      columns={[
        { title: t('Order'), cell: ({ id }) => <code>{id}</code> },
        { title: t('Status'), cell: ({ status }) => <Badge state={status} /> },
        {
          title: t('Total'),
          cell: ({ total, currency }) => <Money amount={total} currency={currency} />,
          sort: 'total',
          isNumber: true,
        },
        { title: t('Created'), cell: ({ created_at }) => <Time at={created_at} />, sort: 'created_at' },
      ]}
      empty={
        <Empty title={t('There are no orders yet')}>
          {t('An order appears here when a member checks out.')}
        </Empty>
      }
    />
  )
}
