import type { ProductInFull } from '@guildhall/sdk'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useRights } from '../../../data/role.ts'
import { t } from '../../../data/words.ts'
import { Badge } from '../../../ui/badge/badge.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { DataTable } from '../../../ui/data-table/data-table.tsx'
import { Fields } from '../../../ui/fields/fields.tsx'
import { Money } from '../../../ui/money/money.tsx'
import { Empty, ErrorNotice } from '../../../ui/notice/notice.tsx'
import { Page, Section } from '../../../ui/page/page.tsx'
import { PlanLink } from '../../../ui/plan-link/plan-link.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { type ReadProduct, useProduct, useVariants } from '../queries.ts'
import { DeleteProduct, EditProduct, PublishProduct } from './edit.tsx'
import { CreateVariant } from './variant-edit.tsx'

export function ProductDetail() {
  const { id = '', project = '', side = '' } = useParams({ strict: false })
  const { data: read, error, refetch } = useProduct(id)
  if (read === undefined)
    return error ? <ErrorNotice error={error} onRetry={refetch} /> : <p role="status">{t('Loading …')}</p>
  const { value: product } = read
  return (
    <Page
      title={product.name}
      back={
        <Link to="/$project/$side/products" params={{ project, side }}>
          {t('All products')}
        </Link>
      }
      actions={<ProductActs read={read} />}
    >
      <ProductFields product={product} />
      <Section title={t('Variants')}>
        <NewVariant product={product} />
        <Variants product={product} />
      </Section>
    </Page>
  )
}

function ProductActs({ read }: { readonly read: ReadProduct }) {
  const { canChange } = useRights()
  const [open, setOpen] = useState<'edit' | 'publish' | 'delete'>()
  if (!canChange) return null
  const { value: product } = read
  const close = () => setOpen(undefined)
  return (
    <>
      <Button onPress={() => setOpen('edit')}>{t('Edit')}</Button>
      <Button onPress={() => setOpen('publish')}>
        {product.is_active ? t('Take off sale') : t('Publish')}
      </Button>
      <Button kind="danger" onPress={() => setOpen('delete')}>
        {t('Delete the product')}
      </Button>
      {open === 'edit' && <EditProduct read={read} onClose={close} />}
      {open === 'publish' && <PublishProduct read={read} onClose={close} />}
      {open === 'delete' && <DeleteProduct read={read} onClose={close} />}
    </>
  )
}

function ProductFields({ product }: { readonly product: ProductInFull }) {
  const { grants } = product
  return (
    <Fields
      fields={[
        [t('Id'), <code key="id">{product.id}</code>],
        [t('Short name'), <code key="slug">{product.slug}</code>],
        [t('Status'), <Badge key="status" state={product.is_active ? 'published' : 'not_published'} />],
        [t('Description'), product.description],
        [t('Category'), product.category],
        [t('Price'), <Money key="price" amount={product.price} currency={product.currency} />],
        [t('Tax in it'), product.tax_percent === null ? null : `${product.tax_percent} %`],
        [t('Images'), product.images.length === 0 ? null : <Images key="images" ids={product.images} />],
        [t('Opens the plan'), grants?.plan_id && <PlanLink id={grants.plan_id} />],
        [t('Opens features'), grants?.features && <code>{grants.features.join(', ')}</code>],
        [t('Opens the course'), grants?.course_id && <code>{grants.course_id}</code>],
        [
          t('For'),
          grants?.days === undefined ? null : t('{days} {days:day|days} a piece', { days: grants.days }),
        ],
        [
          t('Reserved without payment'),
          product.reserve_hours === null
            ? t('As the payment account says')
            : t('{hours} {hours:hour|hours}', { hours: product.reserve_hours }),
        ],
        [t('Created'), <Time key="created" at={product.created_at} />],
        [t('Changed'), <Time key="changed" at={product.updated_at} />],
      ]}
    />
  )
}

const Images = ({ ids }: { readonly ids: readonly string[] }) => ids.map((id) => <code key={id}>{id} </code>)

/** What can be bought of a product, with its stock: on hand = free + reserved. */
function Variants({ product }: { readonly product: ProductInFull }) {
  const { project = '', side = '' } = useParams({ strict: false })
  const { data: variants, error } = useVariants(product.id)
  if (error) return <ErrorNotice error={error} />
  if (variants === undefined) return <p role="status">{t('Loading …')}</p>
  if (variants.length === 0)
    return (
      <Empty title={t('It has no variants: the product itself is bought, and its stock is not counted')} />
    )
  return (
    <DataTable
      label={t('Variants')}
      rows={variants}
      keyOf={({ id }) => id}
      linkOf={({ id }) => ({
        to: '/$project/$side/products/$id/$variant',
        params: { project, side, id: product.id, variant: id },
      })}
      columns={[
        { title: t('Name'), cell: ({ name, sku, id }) => <bdi>{name || sku || id}</bdi> },
        { title: t('Stock number'), cell: ({ sku }) => sku ?? '–' },
        {
          title: t('Price'),
          cell: ({ price }) => <Money amount={price ?? product.price} currency={product.currency} />,
          isNumber: true,
        },
        { title: t('On hand'), cell: ({ on_hand }) => on_hand ?? t('Not counted'), isNumber: true },
        { title: t('Reserved'), cell: ({ reserved }) => reserved ?? 0, isNumber: true },
        { title: t('Sold'), cell: ({ sold }) => sold ?? 0, isNumber: true },
        { title: t('Status'), cell: ({ is_active }) => <Badge state={is_active ? 'active' : 'inactive'} /> },
      ]}
    />
  )
}

function NewVariant({ product }: { readonly product: ProductInFull }) {
  const { canChange } = useRights()
  const [isOpen, setOpen] = useState(false)
  if (!canChange) return null
  return (
    <div>
      <Button onPress={() => setOpen(true)}>{t('New variant')}</Button>
      {isOpen && <CreateVariant product={product} onClose={() => setOpen(false)} />}
    </div>
  )
}
