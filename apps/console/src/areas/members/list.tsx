import type { ListedMember } from '@guildhall/sdk'
import { useState } from 'react'
import { usePlans } from '../../data/plan-names.ts'
import { useRights } from '../../data/role.ts'
import { t } from '../../data/words.ts'
import { Badge } from '../../ui/badge/badge.tsx'
import { Button } from '../../ui/button/button.tsx'
import type { Column } from '../../ui/data-table/data-table.tsx'
import { useSelection } from '../../ui/data-table/use-selection.ts'
import { ListScreen } from '../../ui/list-screen/list-screen.tsx'
import { Empty } from '../../ui/notice/notice.tsx'
import { PlanLink } from '../../ui/plan-link/plan-link.tsx'
import { Time } from '../../ui/time/time.tsx'
import { BulkMembers } from './bulk.tsx'
import { CreateMember } from './create.tsx'
import { useMembers } from './queries.ts'
import { RestoreMember } from './restore.tsx'

export function MemberList() {
  const list = useMembers()
  const { data: plans } = usePlans()
  const { canChange } = useRights()
  const create = (is: boolean) => list.change({ do: is ? 'create' : undefined })
  const selection = useSelection({
    list,
    keyOf: ({ id }: ListedMember) => id,
    nameOf: ({ full_name, email }) => full_name || email,
  })
  // A deleted member has no screen: all that can be done is to restore it.
  const isDeleted = list.search['deleted'] === 'true'
  const [restored, setRestored] = useState<ListedMember>()
  const planName = (id: string) => plans?.find((plan) => plan.id === id)?.name ?? id
  return (
    <>
      <ListScreen
        title={t('Members')}
        list={list}
        actions={
          canChange && (
            <Button kind="primary" onPress={() => create(true)}>
              {t('Add a member')}
            </Button>
          )
        }
        searchLabel={t('Search members')}
        dates={t('Created')}
        filters={[
          { name: 'status', label: t('Status'), values: ['active', 'inactive', 'pending'] },
          {
            name: 'plan_id',
            label: t('Plan'),
            values: plans?.map(({ id }) => id) ?? [],
            titleOf: planName,
          },
          { name: 'role', label: t('Role') },
          {
            name: 'deleted',
            label: t('Deleted'),
            allTitle: t('Without deleted ones'),
            values: ['true'],
            titleOf: () => t('Deleted, can be restored'),
          },
        ]}
        {...(canChange && !isDeleted && { selection, bulkActs: <BulkMembers selection={selection} /> })}
        keyOf={({ id }) => id}
        {...(!isDeleted && {
          linkOf: ({ id }: ListedMember) => ({
            to: '/$project/$side/members/$id',
            params: { ...list.params, id },
          }),
        })}
        columns={[
          { title: t('Email address'), cell: ({ email }) => email, sort: 'email' },
          { title: t('Name'), cell: ({ full_name }) => full_name || '–', sort: 'full_name' },
          { title: t('Status'), cell: ({ status }) => <Badge state={status} /> },
          {
            title: t('Plan'),
            cell: ({ plan_id: id }) => <PlanLink id={id} />,
            hideBelow: 700,
          },
          { title: t('Role'), cell: ({ role }) => role ?? '–', hideBelow: 850 },
          {
            title: t('Created'),
            cell: ({ created_at }) => <Time at={created_at} />,
            sort: 'created_at',
            hideBelow: 700,
          },
          {
            title: t('Last log-in'),
            cell: ({ last_login_at: at }) => (at === undefined ? '–' : <Time at={at} />),
            hideBelow: 1000,
          },
          ...(isDeleted && canChange ? [restoring(setRestored)] : []),
        ]}
        empty={
          <Empty title={t('There are no members yet')}>
            {t('They appear here when they sign up, or when you create or import them.')}
          </Empty>
        }
      />
      {restored && <RestoreMember of={restored} onClose={() => setRestored(undefined)} />}
      {canChange && list.search['do'] === 'create' && <CreateMember onClose={() => create(false)} />}
    </>
  )
}

const restoring = (onRestore: (member: ListedMember) => void): Column<ListedMember> => ({
  title: t('Actions'),
  cell: (member) => (
    <Button label={t('Restore {email}', { email: member.email })} onPress={() => onRestore(member)}>
      {t('Restore')}
    </Button>
  ),
})
