import type { ProductInFull } from '@guildhall/sdk'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useRights } from '../../../data/role.ts'
import { spokenLanguage, t } from '../../../data/words.ts'
import { Badge } from '../../../ui/badge/badge.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { Fields } from '../../../ui/fields/fields.tsx'
import { List } from '../../../ui/list-screen/list-screen.tsx'
import { Money } from '../../../ui/money/money.tsx'
import { Empty, ErrorNotice } from '../../../ui/notice/notice.tsx'
import { Page, Section } from '../../../ui/page/page.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { type ReadVariant, useProduct, useStockMoves, useVariant } from '../queries.ts'
import { ChangeStock, DeleteVariant, EditVariant } from './variant-edit.tsx'

/** A variant of a product, with the ledger of its stock. */
export function VariantDetail() {
  const { id = '', variant: variantId = '', project = '', side = '' } = useParams({ strict: false })
  const { data: read, error: noProduct } = useProduct(id)
  const { data: readVariant, error, refetch } = useVariant(variantId)
  if (read === undefined || readVariant === undefined)
    return (error ?? noProduct) ? (
      <ErrorNotice error={error ?? (noProduct as Error)} onRetry={refetch} />
    ) : (
      <p role="status">{t('Loading …')}</p>
    )
  const { value: product } = read
  const { value: variant } = readVariant
  return (
    <Page
      title={[product.name, variant.name || variant.sku].filter(Boolean).join(', ')}
      back={
        <Link to="/$project/$side/products/$id" params={{ project, side, id }}>
          {t('Its product')}
        </Link>
      }
      actions={<VariantActs read={readVariant} product={product} />}
    >
      <Fields
        fields={[
          [t('Id'), <code key="id">{variant.id}</code>],
          [t('Stock number'), variant.sku],
          ...Object.entries(variant.options),
          [
            t('Price'),
            <Money key="price" amount={variant.price ?? product.price} currency={product.currency} />,
          ],
          [t('Status'), <Badge key="status" state={variant.is_active ? 'active' : 'inactive'} />],
          [t('On hand'), variant.on_hand?.toLocaleString(spokenLanguage()) ?? t('Not counted')],
          [t('Reserved'), String(variant.reserved ?? 0)],
          [t('Sold'), String(variant.sold ?? 0)],
          [t('Warns below'), variant.low_stock === undefined ? null : String(variant.low_stock)],
        ]}
      />
      <Section title={t('Stock ledger')}>
        <StockMoves variant={variantId} />
      </Section>
    </Page>
  )
}

interface ActsProps {
  readonly read: ReadVariant
  readonly product: ProductInFull
}

function VariantActs({ read, product }: ActsProps) {
  const { canChange } = useRights()
  const [open, setOpen] = useState<'edit' | 'stock' | 'delete'>()
  if (!canChange) return null
  const { value: variant } = read
  const close = () => setOpen(undefined)
  return (
    <>
      <Button onPress={() => setOpen('edit')}>{t('Edit')}</Button>
      <Button onPress={() => setOpen('stock')}>{t('Change the stock')}</Button>
      <Button kind="danger" onPress={() => setOpen('delete')}>
        {t('Delete the variant')}
      </Button>
      {open === 'edit' && <EditVariant read={read} product={product} onClose={close} />}
      {open === 'stock' && <ChangeStock variant={variant} onClose={close} />}
      {open === 'delete' && <DeleteVariant read={read} onClose={close} />}
    </>
  )
}

const kinds = (): Readonly<Record<string, string>> => ({
  adjust: t('Changed by hand'),
  reserve: t('Reserved for an order'),
  release: t('Given back by an order'),
  sell: t('Sold'),
  restock: t('Came back'),
})

function StockMoves({ variant }: { readonly variant: string }) {
  const list = useStockMoves(variant)
  return (
    <List
      title={t('Stock ledger')}
      list={list}
      keyOf={({ id }) => id}
      columns={[
        { title: t('Time'), cell: ({ created_at }) => <Time at={created_at} /> },
        { title: t('Kind'), cell: ({ kind }) => kinds()[kind] ?? kind },
        {
          title: t('Pieces'),
          cell: ({ quantity }) => (quantity > 0 ? `+${quantity}` : quantity),
          isNumber: true,
        },
        {
          title: t('Order'),
          cell: ({ order_id: id }) =>
            id === null ? (
              '–'
            ) : (
              <Link to="/$project/$side/orders/$id" params={{ ...list.params, id }}>
                <code>{id}</code>
              </Link>
            ),
        },
        { title: t('Why'), cell: ({ reason }) => reason ?? '–' },
      ]}
      empty={<Empty title={t('Nothing happened to its stock yet')} />}
    />
  )
}
