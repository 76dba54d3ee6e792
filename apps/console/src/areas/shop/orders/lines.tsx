import type { Order } from '@guildhall/sdk'
import { Link, useParams } from '@tanstack/react-router'
import { t } from '../../../data/words.ts'
import { DataTable } from '../../../ui/data-table/data-table.tsx'
import { Money } from '../../../ui/money/money.tsx'
import styles from './lines.module.css'

/** What was bought, and what it adds up to. The sums are the API's own. */
export function OrderLines({ order }: { readonly order: Order }) {
  const { project = '', side = '' } = useParams({ strict: false })
  const { currency } = order
  return (
    <>
      <DataTable
        label={t('Items')}
        rows={order.lines}
        keyOf={({ id }) => id}
        columns={[
          {
            title: t('Product'),
            cell: ({ product_id, name, variant_name }) => (
              <Link to="/$project/$side/products/$id" params={{ project, side, id: product_id }}>
                <bdi>{[name, variant_name].filter(Boolean).join(', ')}</bdi>
              </Link>
            ),
          },
          { title: t('Stock number'), cell: ({ sku }) => sku ?? '–' },
          { title: t('Pieces'), cell: ({ quantity }) => quantity, isNumber: true },
          {
            title: t('Price'),
            cell: ({ price }) => <Money amount={price} currency={currency} />,
            isNumber: true,
          },
          {
            title: t('Discount'),
            cell: ({ discount }) => <Money amount={discount === 0 ? 0 : -discount} currency={currency} />,
            isNumber: true,
          },
          { title: t('Tax'), cell: ({ tax }) => <Money amount={tax} currency={currency} />, isNumber: true },
          {
            title: t('Total'),
            cell: ({ total }) => <Money amount={total} currency={currency} />,
            isNumber: true,
          },
          { title: t('Refunded'), cell: ({ refunded_quantity: pieces }) => pieces || '–', isNumber: true },
        ]}
      />
      <Sums order={order} />
    </>
  )
}

function Sums({ order }: { readonly order: Order }) {
  const { currency, discount_code: code } = order
  const sums: readonly (readonly [string, number])[] = [
    [t('Before the discount'), order.subtotal],
    [
      code === null ? t('Discount') : t('Discount {code}', { code }),
      order.discount === 0 ? 0 : -order.discount,
    ],
    [t('Total'), order.total],
    [t('Tax in it'), order.tax],
  ]
  return (
    <dl className={styles.sums}>
      {sums.map(([name, amount]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Money amount={amount} currency={currency} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
