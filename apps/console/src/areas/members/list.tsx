import { t } from '../../data/words.ts'
import { Badge } from '../../ui/badge/badge.tsx'
import { ListScreen } from '../../ui/list-screen/list-screen.tsx'
import { Empty } from '../../ui/notice/notice.tsx'
import { Time } from '../../ui/time/time.tsx'
import { useMembers } from './queries.ts'

export function MemberList() {
  const list = useMembers()
  return (
    <ListScreen
      title={t('Members')}
      list={list}
      searchLabel={t('Search members')}
      filters={[{ name: 'status', label: t('Status'), values: ['active', 'inactive', 'pending'] }]}
      keyOf={({ id }) => id}
      linkOf={({ id }) => ({ to: '/$project/$side/members/$id', params: { ...list.params, id } })}
      columns={[
        { title: t('Email address'), cell: ({ email }) => email },
        { title: t('Name'), cell: ({ full_name }) => full_name },
        { title: t('Status'), cell: ({ status }) => <Badge state={status} /> },
        { title: t('Created'), cell: ({ created_at }) => <Time at={created_at} />, sort: 'created_at' },
      ]}
      empty={
        <Empty title={t('There are no members yet')}>
          {t('They appear here when they sign up, or when you create or import them.')}
        </Empty>
      }
    />
  )
}
