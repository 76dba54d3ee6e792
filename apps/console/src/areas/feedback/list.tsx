import type { FeedbackItem } from '@guildhall/sdk'
import { useRef } from 'react'
import { useRights } from '../../data/role.ts'
import { spokenLanguage, t } from '../../data/words.ts'
import { Author } from '../../ui/author/author.tsx'
import { Badge } from '../../ui/badge/badge.tsx'
import { Button } from '../../ui/button/button.tsx'
import { useSelection } from '../../ui/data-table/use-selection.ts'
import { ExportButton } from '../../ui/export-button/export-button.tsx'
import { ListScreen } from '../../ui/list-screen/list-screen.tsx'
import { Empty } from '../../ui/notice/notice.tsx'
import { Time } from '../../ui/time/time.tsx'
import { BulkFeedback } from './bulk.tsx'
import { EditItem } from './edit.tsx'
import { STATUSES, TYPES, useFeedback } from './queries.ts'
import { FeedbackViews } from './views.tsx'

/** What an item is called: many have no title. */
export const titleOf = ({ title, excerpt, id }: FeedbackItem): string => title || excerpt || id

export function FeedbackList() {
  const known = useRef(new Map<string, FeedbackItem>())
  const list = useFeedback()
  const keep = (items: readonly FeedbackItem[]) => {
    for (const item of items) known.current.set(item.id, item)
    return items
  }
  keep(list.data?.data ?? [])
  const { canChange } = useRights()
  const create = (is: boolean) => list.change({ do: is ? 'create' : undefined })
  const selection = useSelection({
    list: { ...list, fetchAll: async (most: number) => keep(await list.fetchAll(most)) },
    keyOf: ({ id }: FeedbackItem) => id,
    nameOf: titleOf,
  })
  return (
    <>
      <ListScreen
        title={t('Feedback')}
        views={<FeedbackViews />}
        actions={
          <>
            <ExportButton of="feedback" filters={list.search} />
            {canChange && (
              <Button kind="primary" onPress={() => create(true)}>
                {t('Add an item')}
              </Button>
            )}
          </>
        }
        list={list}
        {...(canChange && {
          selection,
          bulkActs: <BulkFeedback selection={selection} known={known.current} />,
        })}
        dates={t('Created')}
        searchLabel={t('Search feedback')}
        filters={[
          { name: 'type', label: t('Type'), values: TYPES },
          { name: 'status', label: t('Status'), values: [...STATUSES, 'duplicate'] },
          { name: 'visibility', label: t('Visibility'), values: ['public', 'private'] },
        ]}
        keyOf={({ id }) => id}
        linkOf={({ id }) => ({ to: '/$project/$side/feedback/$id', params: { ...list.params, id } })}
        columns={[
          { title: t('Title'), cell: (item) => <bdi>{titleOf(item)}</bdi> },
          {
            title: t('Votes'),
            cell: ({ vote_count }) => vote_count.toLocaleString(spokenLanguage()),
            sort: 'top',
            isNumber: true,
          },
          { title: t('Type'), cell: ({ type }) => <Badge state={type} /> },
          {
            title: t('Status'),
            cell: ({ status, visibility, moderation_status }) => (
              <span>
                <Badge state={status} />
                {visibility === 'private' && <Badge state="private" />}
                {moderation_status && <Badge state={moderation_status} />}
              </span>
            ),
          },
          {
            title: t('From'),
            cell: ({ user_id, author, email }) => (
              <Author id={user_id} author={author} nobody={email ?? '–'} />
            ),
          },
          { title: t('Created'), cell: ({ created_at }) => <Time at={created_at} />, sort: 'new' },
        ]}
        empty={
          <Empty title={t('There is no feedback yet')}>
            {t('What members and visitors send from your site appears here. You can add items yourself.')}
          </Empty>
        }
      />
      {canChange && list.search['do'] === 'create' && <EditItem onClose={() => create(false)} />}
    </>
  )
}
