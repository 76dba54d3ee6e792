import { useState } from 'react'
import { useRights } from '../../../data/role.ts'
import { t } from '../../../data/words.ts'
import { Badge } from '../../../ui/badge/badge.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { ListScreen } from '../../../ui/list-screen/list-screen.tsx'
import { Money } from '../../../ui/money/money.tsx'
import { Empty } from '../../../ui/notice/notice.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { useProducts } from '../queries.ts'
import { CreateProduct } from './edit.tsx'

export function ProductList() {
  const list = useProducts()
  return (
    <ListScreen
      title={t('Products')}
      list={list}
      actions={<NewProduct />}
      searchLabel={t('Search products')}
      dates={t('Created')}
      filters={[
        {
          name: 'is_active',
          label: t('Status'),
          values: ['false'],
          titleOf: () => t('Not published'),
          allTitle: t('Published'),
        },
        { name: 'category', label: t('Category') },
      ]}
      keyOf={({ id }) => id}
      linkOf={({ id }) => ({ to: '/$project/$side/products/$id', params: { ...list.params, id } })}
      columns={[
        { title: t('Name'), cell: ({ name }) => <bdi>{name}</bdi>, sort: 'name' },
        { title: t('Category'), cell: ({ category }) => category || '–' },
        {
          title: t('Price'),
          cell: ({ price, currency }) => <Money amount={price} currency={currency} />,
          sort: 'price',
          isNumber: true,
        },
        {
          title: t('Status'),
          cell: ({ is_active }) => <Badge state={is_active ? 'published' : 'not_published'} />,
        },
        {
          title: t('Created'),
          cell: ({ created_at }) => <Time at={created_at} />,
          sort: 'created_at',
          hideBelow: 700,
        },
      ]}
      empty={
        <Empty title={t('There are no products yet')}>
          {t('A product has a price, and may open a plan, features or a course to its buyers.')}
        </Empty>
      }
    />
  )
}

function NewProduct() {
  const { canChange } = useRights()
  const [isOpen, setOpen] = useState(false)
  if (!canChange) return null
  return (
    <>
      <Button kind="primary" onPress={() => setOpen(true)}>
        {t('New product')}
      </Button>
      {isOpen && <CreateProduct onClose={() => setOpen(false)} />}
    </>
  )
}
