import { useState } from 'react'
import { useRights } from '../../data/role.ts'
import { spokenLanguage, t } from '../../data/words.ts'
import { Author } from '../../ui/author/author.tsx'
import { Badge } from '../../ui/badge/badge.tsx'
import { Button } from '../../ui/button/button.tsx'
import { ListScreen } from '../../ui/list-screen/list-screen.tsx'
import { Empty } from '../../ui/notice/notice.tsx'
import { Time } from '../../ui/time/time.tsx'
import { useAllCategories, useDiscussions } from './queries.ts'
import { DiscussionViews } from './views.tsx'
import { NewDiscussion } from './write.tsx'

export function DiscussionList() {
  const list = useDiscussions()
  const { canChange } = useRights()
  const [isWriting, setWriting] = useState(false)
  const { data: categories = [] } = useAllCategories()
  const nameOf = (slug: string) => categories.find((each) => each.slug === slug)?.name ?? slug
  const { author_id } = list.search
  const authorName = list.data?.data.find(({ author }) => author?.id === author_id)?.author?.display_name
  return (
    <>
      <ListScreen
        title={t('Discussions')}
        views={<DiscussionViews />}
        actions={
          canChange && (
            <Button kind="primary" onPress={() => setWriting(true)}>
              {t('Start a discussion')}
            </Button>
          )
        }
        list={list}
        searchLabel={t('Search discussions')}
        dates={t('Created')}
        filters={[
          {
            name: 'category',
            label: t('Category'),
            values: categories.map(({ slug }) => slug),
            titleOf: nameOf,
          },
          {
            name: 'status',
            label: t('Status'),
            allTitle: t('Visible'),
            values: ['pending', 'removed'],
          },
          {
            name: 'pinned',
            label: t('Pinned'),
            values: ['true', 'false'],
            titleOf: (value) => (value === 'true' ? t('Pinned') : t('Not pinned')),
          },
          {
            name: 'sort',
            label: t('Order'),
            allTitle: t('Latest activity'),
            values: ['newest', 'top', 'unanswered'],
            titleOf: (value) =>
              ({ newest: t('Newest'), top: t('Most likes'), unanswered: t('Unanswered first') })[value] ??
              value,
          },
          ...(author_id === undefined
            ? []
            : [
                {
                  name: 'author_id',
                  label: t('Author'),
                  values: [String(author_id)],
                  titleOf: (id: string) => authorName ?? id,
                },
              ]),
        ]}
        keyOf={({ id }) => id}
        linkOf={({ id }) => ({ to: '/$project/$side/discussions/$id', params: { ...list.params, id } })}
        columns={[
          { title: t('Title'), cell: ({ title }) => <bdi>{title}</bdi> },
          { title: t('Author'), cell: ({ author, author_id: id }) => <Author id={id} author={author} /> },
          { title: t('Category'), cell: ({ category }) => <bdi>{nameOf(category)}</bdi>, hideBelow: 850 },
          {
            title: t('Status'),
            cell: ({ status, is_pinned, is_locked, answer_id }) => (
              <span>
                <Badge state={status} />
                {is_pinned && <Badge state="pinned" />}
                {is_locked && <Badge state="locked" />}
                {answer_id !== null && <Badge state="answered" />}
              </span>
            ),
          },
          {
            title: t('Comments'),
            cell: ({ comment_count }) => comment_count.toLocaleString(spokenLanguage()),
            isNumber: true,
          },
          {
            title: t('Likes'),
            cell: ({ likes }) => likes.toLocaleString(spokenLanguage()),
            isNumber: true,
            hideBelow: 1000,
          },
          { title: t('Last activity'), cell: ({ last_activity_at }) => <Time at={last_activity_at} /> },
        ]}
        empty={
          <Empty title={t('There are no discussions yet')}>
            {t('What members start on your site appears here.')}
          </Empty>
        }
      />
      {isWriting && <NewDiscussion onClose={() => setWriting(false)} />}
    </>
  )
}
