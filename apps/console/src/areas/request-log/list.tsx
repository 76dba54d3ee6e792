import { t } from '../../data/words.ts'
import { ListScreen } from '../../ui/list-screen/list-screen.tsx'
import { Empty } from '../../ui/notice/notice.tsx'
import { Status } from '../../ui/status/status.tsx'
import { inMilliseconds } from '../../ui/time/milliseconds.ts'
import { Time } from '../../ui/time/time.tsx'
import { useRequests } from './queries.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const CLASSES = ['failed', '2xx', '3xx', '4xx', '5xx']

export function RequestList() {
  const list = useRequests()
  return (
    <ListScreen
      title={t('Requests')}
      list={list}
      filters={[
        {
          name: 'status_class',
          label: t('Status'),
          values: CLASSES,
          titleOf: (value) => (value === 'failed' ? t('4xx and 5xx') : value),
        },
        { name: 'method', label: t('Method'), values: METHODS, titleOf: (method) => method },
        { name: 'code', label: t('Error code') },
        {
          name: 'include_operators',
          label: t('Who sent it'),
          allTitle: t('Without operators'),
          values: ['true'],
          titleOf: () => t('With operators'),
        },
      ]}
      keyOf={({ id, at }) => `${id} ${at}`}
      linkOf={({ id }) => ({ to: '/$project/$side/requests/$id', params: { ...list.params, id } })}
      columns={[
        {
          title: t('Request'),
          cell: ({ method, route }) => (
            <code>
              {method} {route}
            </code>
          ),
        },
        { title: t('Status'), cell: ({ status }) => <Status status={status} /> },
        { title: t('Error code'), cell: ({ code }) => (code === null ? '–' : <code>{code}</code>) },
        { title: t('Took'), cell: ({ ms }) => inMilliseconds(ms), isNumber: true },
        { title: t('Time'), cell: ({ at }) => <Time at={at} hasSeconds /> },
      ]}
      empty={
        <Empty title={t('There were no requests in the last 7 days')}>
          {t('A request of a key or a member appears here a moment after its answer.')}
        </Empty>
      }
    />
  )
}
