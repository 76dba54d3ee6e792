import type { Discount } from '@guildhall/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useProject } from '../../../data/list-query.ts'
import { useRights } from '../../../data/role.ts'
import { spokenLanguage, t } from '../../../data/words.ts'
import { Badge } from '../../../ui/badge/badge.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { Fields } from '../../../ui/fields/fields.tsx'
import { Empty, ErrorNotice } from '../../../ui/notice/notice.tsx'
import { Page, Section } from '../../../ui/page/page.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { type ReadDiscount, useDiscount } from '../queries.ts'
import { DeleteDiscount, EditDiscount } from './edit.tsx'
import { offOf, usesOf } from './list.tsx'

export function DiscountDetail() {
  const { id = '', project = '', side = '' } = useParams({ strict: false })
  const { data: read, error, refetch } = useDiscount(id)
  if (read === undefined)
    return error ? <ErrorNotice error={error} onRetry={refetch} /> : <p role="status">{t('Loading …')}</p>
  const { value: discount } = read
  return (
    <Page
      title={discount.code}
      back={
        <Link to="/$project/$side/discounts" params={{ project, side }}>
          {t('All discounts')}
        </Link>
      }
      actions={<DiscountActs read={read} />}
    >
      <Fields
        fields={[
          [t('Id'), <code key="id">{discount.id}</code>],
          [t('Code'), <code key="code">{discount.code}</code>],
          [t('Status'), <Badge key="status" state={discount.is_active ? 'active' : 'inactive'} />],
          [t('Takes off'), offOf(discount)],
          [t('Used'), usesOf(discount)],
          [
            t('Uses per member'),
            discount.max_uses_per_member?.toLocaleString(spokenLanguage()) ?? t('No limit'),
          ],
          [t('Valid from'), discount.starts_at && <Time at={discount.starts_at} />],
          [t('Valid until'), discount.ends_at && <Time at={discount.ends_at} />],
          [t('Created'), <Time key="created" at={discount.created_at} />],
          [t('Changed'), <Time key="changed" at={discount.updated_at} />],
        ]}
      />
      <Section title={t('Products')}>
        <Products discount={discount} />
      </Section>
    </Page>
  )
}

function DiscountActs({ read }: { readonly read: ReadDiscount }) {
  const { canChange } = useRights()
  const [open, setOpen] = useState<'edit' | 'delete'>()
  if (!canChange) return null
  const close = () => setOpen(undefined)
  return (
    <>
      <Button onPress={() => setOpen('edit')}>{t('Edit')}</Button>
      <Button kind="danger" onPress={() => setOpen('delete')}>
        {t('Delete the discount')}
      </Button>
      {open === 'edit' && <EditDiscount read={read} onClose={close} />}
      {open === 'delete' && <DeleteDiscount read={read} onClose={close} />}
    </>
  )
}

/** The products for which it counts, by name. */
function Products({ discount: { product_ids: ids } }: { readonly discount: Discount }) {
  if (ids.length === 0) return <Empty title={t('It counts for all products')} />
  return (
    <ul>
      {ids.map((id) => (
        <li key={id}>
          <ProductLink id={id} />
        </li>
      ))}
    </ul>
  )
}

function ProductLink({ id }: { readonly id: string }) {
  const { project, side, client } = useProject()
  const { data: product } = useQuery({
    queryKey: [project, side, 'products', 'name', id],
    queryFn: ({ signal }) => client.shop.products.get(id, { signal }),
  })
  return (
    <Link to="/$project/$side/products/$id" params={{ project, side, id }}>
      <bdi>{product?.name ?? id}</bdi>
    </Link>
  )
}
