import { Link } from '@tanstack/react-router'
import { t } from '../../data/words.ts'
import { ListScreen } from '../../ui/list-screen/list-screen.tsx'
import { MemberLink } from '../../ui/member-link/member-link.tsx'
import { Empty } from '../../ui/notice/notice.tsx'
import { Time } from '../../ui/time/time.tsx'
import { useEvents, useEventTypes } from './queries.ts'

/** What happened, the newest first. */
export function EventList() {
  const list = useEvents()
  const { data: types } = useEventTypes()
  return (
    <ListScreen
      title={t('Events')}
      list={list}
      filters={[
        { name: 'type', label: t('Type of event'), values: types ?? [], titleOf: (type) => type },
        { name: 'member_id', label: t('Id of a member') },
      ]}
      keyOf={({ id }) => id}
      linkOf={({ id }) => ({ to: '/$project/$side/events/$id', params: { ...list.params, id } })}
      columns={[
        { title: t('Event'), cell: ({ type }) => <code>{type}</code> },
        {
          title: t('Member'),
          cell: ({ member_id: member }) => (member === null ? '–' : <MemberLink id={member} />),
        },
        {
          title: t('Cause'),
          cell: ({ request_id: id }) =>
            id === null ? (
              '–'
            ) : (
              <Link to="/$project/$side/requests/$id" params={{ ...list.params, id }}>
                <code>{id}</code>
              </Link>
            ),
        },
        {
          title: t('Time'),
          cell: ({ timestamp }) => <Time at={timestamp} hasSeconds />,
          sort: 'timestamp',
        },
      ]}
      empty={
        <Empty title={t('Nothing happened in the last 30 days')}>
          {t('An event appears here a moment after the change that caused it. Webhooks get the same.')}
        </Empty>
      }
    />
  )
}
