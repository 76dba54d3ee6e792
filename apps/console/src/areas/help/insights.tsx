import type { HelpInsights as Insights } from '@guildhall/sdk'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useRights } from '../../data/role.ts'
import { spokenLanguage, t } from '../../data/words.ts'
import { Button } from '../../ui/button/button.tsx'
import { type Column, DataTable } from '../../ui/data-table/data-table.tsx'
import { Empty, ErrorNotice } from '../../ui/notice/notice.tsx'
import { Page, Section } from '../../ui/page/page.tsx'
import { Select } from '../../ui/select/select.tsx'
import { Time } from '../../ui/time/time.tsx'
import { CreateArticle } from './create.tsx'
import { useCategories, useInsights } from './queries.ts'
import { HelpViews } from './views.tsx'

const DAYS = ['7', '30', '90'] as const

/** What readers look for and do not find, and how they like what they find. */
export function HelpInsights() {
  const [days, setDays] = useState('30')
  const [wanted, setWanted] = useState<string>()
  const { data, error, refetch } = useInsights(Number(days))
  const { data: categories = [] } = useCategories()
  const { canChange } = useRights()
  return (
    <Page
      title={t('What readers look for')}
      actions={
        <Select
          label={t('Days')}
          options={DAYS.map((id) => ({ id, name: t('Last {days} {days:day|days}', { days: Number(id) }) }))}
          value={days}
          onChange={setDays}
        />
      }
    >
      <HelpViews />
      {error && <ErrorNotice error={error} onRetry={refetch} />}
      {data === undefined && !error && <p role="status">{t('Loading …')}</p>}
      {data && (
        <>
          <Searches insights={data} {...(canChange && { onWrite: setWanted })} />
          <Articles insights={data} />
        </>
      )}
      {wanted !== undefined && (
        <CreateArticle categories={categories} title={wanted} onClose={() => setWanted(undefined)} />
      )}
    </Page>
  )
}

interface Props {
  readonly insights: Insights
}

function Searches({
  insights: { searches_without_result: searches },
  onWrite,
}: Props & { readonly onWrite?: (query: string) => void }) {
  return (
    <Section title={t('Searches without a result')}>
      {searches.length === 0 ? (
        <Empty title={t('Every search found something')} />
      ) : (
        <DataTable
          label={t('Searches without a result')}
          rows={searches}
          keyOf={({ query, locale }) => `${locale} ${query}`}
          columns={[
            { title: t('Searched for'), cell: ({ query }) => <bdi>{query}</bdi> },
            { title: t('Language'), cell: ({ locale }) => locale || '–' },
            {
              title: t('Searches'),
              cell: ({ searches: many }) => many.toLocaleString(spokenLanguage()),
              isNumber: true,
            },
            { title: t('Last'), cell: ({ last_searched_at }) => <Time at={last_searched_at} /> },
            ...(onWrite ? [writeColumn(onWrite)] : []),
          ]}
        />
      )}
    </Section>
  )
}

const writeColumn = (onWrite: (query: string) => void): Column<{ readonly query: string }> => ({
  title: t('Actions'),
  cell: ({ query }) => (
    <Button label={t('Write an article about {query}', { query })} onPress={() => onWrite(query)}>
      {t('Write an article')}
    </Button>
  ),
})

/** How readers like the articles, and how many open them. */
function Articles({ insights: { low_votes, views } }: Props) {
  const { project = '', side = '' } = useParams({ strict: false })
  const linkOf = ({ article_id: id }: { readonly article_id: string }) => ({
    to: '/$project/$side/help/$id' as const,
    params: { project, side, id },
  })
  return (
    <>
      <Section title={t('Least helpful')}>
        {low_votes.length === 0 ? (
          <Empty title={t('Nobody has voted yet')} />
        ) : (
          <DataTable
            label={t('Least helpful')}
            rows={low_votes}
            keyOf={({ article_id }) => article_id}
            linkOf={linkOf}
            columns={[
              { title: t('Title'), cell: ({ title }) => <bdi>{title}</bdi> },
              { title: t('Helpful'), cell: ({ helpful_count }) => helpful_count, isNumber: true },
              { title: t('Not helpful'), cell: ({ unhelpful_count }) => unhelpful_count, isNumber: true },
            ]}
          />
        )}
      </Section>
      <Section title={t('Read most')}>
        {views.length === 0 ? (
          <Empty title={t('Nobody has read an article yet')} />
        ) : (
          <DataTable
            label={t('Read most')}
            rows={views}
            keyOf={({ article_id }) => article_id}
            linkOf={linkOf}
            columns={[
              { title: t('Title'), cell: ({ title }) => <bdi>{title}</bdi> },
              {
                title: t('Views'),
                cell: ({ views: many }) => many.toLocaleString(spokenLanguage()),
                isNumber: true,
              },
            ]}
          />
        )}
      </Section>
    </>
  )
}
