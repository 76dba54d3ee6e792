import type { ArticleSummary } from '@guildhall/sdk'
import { useState } from 'react'
import { useRights } from '../../data/role.ts'
import { t } from '../../data/words.ts'
import { Badge } from '../../ui/badge/badge.tsx'
import { Button } from '../../ui/button/button.tsx'
import type { Column } from '../../ui/data-table/data-table.tsx'
import { List } from '../../ui/list-screen/list-screen.tsx'
import { Empty } from '../../ui/notice/notice.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Time } from '../../ui/time/time.tsx'
import { CreateArticle } from './create.tsx'
import { type PlacedCategory, useArticles, useCategories } from './queries.ts'
import { HelpViews } from './views.tsx'
import { visibilityName } from './words.ts'

const columnsOf = (categories: readonly PlacedCategory[]): Column<ArticleSummary>[] => [
  { title: t('Title'), cell: ({ title }) => <bdi>{title}</bdi> },
  {
    title: t('Category'),
    cell: ({ category_id }) => <bdi>{categories.find(({ id }) => id === category_id)?.name ?? '–'}</bdi>,
  },
  { title: t('Status'), cell: ({ status }) => <Badge state={status} /> },
  { title: t('Readers'), cell: ({ visibility }) => visibilityName(visibility), hideBelow: 850 },
  { title: t('Languages'), cell: ({ locales }) => <code>{locales.join(', ')}</code> },
  { title: t('Helpful'), cell: votesOf, isNumber: true, hideBelow: 1000 },
  {
    title: t('Created'),
    cell: ({ created_at }) => <Time at={created_at} />,
    sort: 'created_at',
    hideBelow: 700,
  },
]

const votesOf = ({ helpful_count: yes, unhelpful_count: no }: ArticleSummary) =>
  yes + no === 0 ? '–' : t('{yes} of {all}', { yes: yes, all: yes + no })

export function ArticleList() {
  const list = useArticles()
  const { data: categories = [] } = useCategories()
  const { canChange } = useRights()
  const [isCreating, setCreating] = useState(false)
  const nameOf = (id: string) => categories.find((each) => each.id === id)?.name ?? id
  const create = canChange && (
    <Button kind="primary" onPress={() => setCreating(true)}>
      {t('Write an article')}
    </Button>
  )
  return (
    <Page title={t('Help')} actions={create}>
      <HelpViews />
      <List
        title={t('Articles')}
        list={list}
        searchLabel={t('Search titles')}
        dates={t('Created')}
        filters={[
          { name: 'status', label: t('Status'), values: ['draft', 'published', 'archived'] },
          ...(categories.length === 0
            ? []
            : [
                {
                  name: 'category_id',
                  label: t('Category'),
                  values: categories.map(({ id }) => id),
                  titleOf: nameOf,
                },
              ]),
          { name: 'label', label: t('Label') },
          { name: 'locale', label: t('Language') },
        ]}
        keyOf={({ id }) => id}
        linkOf={({ id }) => ({ to: '/$project/$side/help/$id', params: { ...list.params, id } })}
        columns={columnsOf(categories)}
        empty={
          <Empty title={t('There are no articles yet')}>
            {t('Articles answer what members ask again and again.')}
            {create}
          </Empty>
        }
      />
      {isCreating && <CreateArticle categories={categories} onClose={() => setCreating(false)} />}
    </Page>
  )
}
