import type { Discount } from '@guildhall/sdk'
import { useState } from 'react'
import { useRights } from '../../../data/role.ts'
import { spokenLanguage, t } from '../../../data/words.ts'
import { Badge } from '../../../ui/badge/badge.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { ListScreen } from '../../../ui/list-screen/list-screen.tsx'
import { formatMoney } from '../../../ui/money/format-money.ts'
import { Empty } from '../../../ui/notice/notice.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { useDiscounts } from '../queries.ts'
import { CreateDiscount } from './edit.tsx'

/** What a discount takes off. */
export const offOf = ({ percent, amount, currency }: Discount): string =>
  percent === null
    ? formatMoney(amount ?? 0, currency ?? 'eur')
    : `${percent.toLocaleString(spokenLanguage())} %`

/** How often it was used, of how often it can be. */
export const usesOf = ({ used, max_uses: most }: Discount): string =>
  most === null ? used.toLocaleString(spokenLanguage()) : t('{used} of {most}', { used, most })

export function DiscountList() {
  const list = useDiscounts()
  return (
    <ListScreen
      title={t('Discounts')}
      list={list}
      actions={<NewDiscount />}
      searchLabel={t('Search codes')}
      dates={t('Created')}
      filters={[
        {
          name: 'is_active',
          label: t('Status'),
          values: ['true', 'false'],
          titleOf: (value) => t(value === 'true' ? 'active' : 'inactive'),
        },
      ]}
      keyOf={({ id }) => id}
      linkOf={({ id }) => ({ to: '/$project/$side/discounts/$id', params: { ...list.params, id } })}
      columns={[
        { title: t('Code'), cell: ({ code }) => <code>{code}</code>, sort: 'code' },
        { title: t('Takes off'), cell: offOf, isNumber: true },
        { title: t('Used'), cell: usesOf, isNumber: true },
        {
          title: t('Valid from'),
          cell: ({ starts_at: at }) => (at ? <Time at={at} /> : '–'),
          hideBelow: 850,
        },
        { title: t('Valid until'), cell: ({ ends_at: at }) => (at ? <Time at={at} /> : '–'), hideBelow: 850 },
        { title: t('Status'), cell: ({ is_active }) => <Badge state={is_active ? 'active' : 'inactive'} /> },
        {
          title: t('Created'),
          cell: ({ created_at }) => <Time at={created_at} />,
          sort: 'created_at',
          hideBelow: 700,
        },
      ]}
      empty={
        <Empty title={t('There are no discounts yet')}>
          {t('A discount is a code that customers enter in their cart.')}
        </Empty>
      }
    />
  )
}

function NewDiscount() {
  const { canChange } = useRights()
  const [isOpen, setOpen] = useState(false)
  if (!canChange) return null
  return (
    <>
      <Button kind="primary" onPress={() => setOpen(true)}>
        {t('New discount')}
      </Button>
      {isOpen && <CreateDiscount onClose={() => setOpen(false)} />}
    </>
  )
}
