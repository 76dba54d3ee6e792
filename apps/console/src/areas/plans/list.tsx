import { useState } from 'react'
import { useRights } from '../../data/role.ts'
import { spokenLanguage, t, wordOf } from '../../data/words.ts'
import { Badge } from '../../ui/badge/badge.tsx'
import { Button } from '../../ui/button/button.tsx'
import { ListScreen } from '../../ui/list-screen/list-screen.tsx'
import { Empty } from '../../ui/notice/notice.tsx'
import { Price } from '../../ui/price/price.tsx'
import { Time } from '../../ui/time/time.tsx'
import { CreatePlan } from './edit.tsx'
import { usePlans } from './queries.ts'

export function PlanList() {
  const list = usePlans()
  return (
    <ListScreen
      title={t('Plans')}
      list={list}
      actions={<NewPlan />}
      searchLabel={t('Search plans')}
      dates={t('Created')}
      filters={[
        { name: 'status', label: t('Status'), values: ['active', 'archived'] },
        { name: 'visibility', label: t('Visibility'), values: ['public', 'hidden'] },
      ]}
      keyOf={({ id }) => id}
      linkOf={({ id }) => ({ to: '/$project/$side/plans/$id', params: { ...list.params, id } })}
      columns={[
        { title: t('Name'), cell: ({ name }) => <bdi>{name}</bdi>, sort: 'name' },
        { title: t('Price'), cell: (plan) => <Price of={plan} />, isNumber: true },
        {
          title: t('Members'),
          cell: ({ member_count }) => member_count.toLocaleString(spokenLanguage()),
          isNumber: true,
        },
        { title: t('Rank'), cell: ({ rank }) => rank, sort: 'rank', isNumber: true, hideBelow: 850 },
        { title: t('Visibility'), cell: ({ visibility }) => wordOf(visibility), hideBelow: 1000 },
        { title: t('Status'), cell: ({ status }) => <Badge state={status} /> },
        {
          title: t('Created'),
          cell: ({ created_at }) => <Time at={created_at} />,
          sort: 'created_at',
          hideBelow: 700,
        },
      ]}
      empty={
        <Empty title={t('There are no plans yet')}>
          {t('A plan says what members pay, and what they may use.')}
        </Empty>
      }
    />
  )
}

function NewPlan() {
  const { canChange } = useRights()
  const [isOpen, setOpen] = useState(false)
  if (!canChange) return null
  return (
    <>
      <Button kind="primary" onPress={() => setOpen(true)}>
        {t('New plan')}
      </Button>
      {isOpen && <CreatePlan onClose={() => setOpen(false)} />}
    </>
  )
}
