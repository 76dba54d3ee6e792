import type { Voter } from '@guildhall/sdk'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useProject } from '../../data/list-query.ts'
import { useRights } from '../../data/role.ts'
import { t } from '../../data/words.ts'
import { Author } from '../../ui/author/author.tsx'
import { Badge } from '../../ui/badge/badge.tsx'
import { Button } from '../../ui/button/button.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { Empty, ErrorNotice } from '../../ui/notice/notice.tsx'
import { Section } from '../../ui/page/page.tsx'
import { Time } from '../../ui/time/time.tsx'
import { titleOf } from './list.tsx'
import { useSimilar, useStatusChanges, useVoters } from './queries.ts'
import { AddVote, RemoveVote } from './votes.tsx'

interface Props {
  readonly itemId: string
}

/** Who voted for the item, or for one that is merged into it. */
export function Voters({ itemId }: Props) {
  const { data, error, refetch } = useVoters(itemId)
  const total = data?.pagination.total ?? 0
  const { canChange } = useRights()
  const [isAdding, setAdding] = useState(false)
  const [removed, setRemoved] = useState<Voter>()
  return (
    <Section title={t('Voters')}>
      {error && <ErrorNotice error={error} onRetry={refetch} />}
      {data?.data.length === 0 && <Empty title={t('Nobody has voted yet')} />}
      {canChange && (
        <div>
          <Button onPress={() => setAdding(true)}>{t('Add a vote')}</Button>
        </div>
      )}
      {isAdding && <AddVote itemId={itemId} onClose={() => setAdding(false)} />}
      {removed && <RemoveVote itemId={itemId} voter={removed} onClose={() => setRemoved(undefined)} />}
      {data !== undefined && data.data.length > 0 && (
        <>
          <DataTable
            label={t('Voters')}
            rows={data.data}
            keyOf={({ member_id }) => member_id}
            columns={[
              {
                title: t('Member'),
                cell: ({ member_id, author }) => <Author id={member_id} author={author} />,
              },
              {
                title: t('Voted for'),
                cell: ({ feedback_id }) => (feedback_id === itemId ? t('this item') : t('a duplicate of it')),
              },
              { title: t('Voted'), cell: ({ created_at }) => <Time at={created_at} /> },
              ...(canChange
                ? [
                    {
                      title: t('Actions'),
                      cell: (voter: Voter) => (
                        <Button
                          label={t('Remove the vote of {name}', {
                            name: voter.author?.display_name ?? voter.member_id,
                          })}
                          onPress={() => setRemoved(voter)}
                        >
                          {t('Remove')}
                        </Button>
                      ),
                    },
                  ]
                : []),
            ]}
          />
          {total > data.data.length && (
            <p>
              {t('The first {count} of {total}', {
                count: data.data.length,
                total: total,
              })}
            </p>
          )}
        </>
      )}
    </Section>
  )
}

/** Where the item stood before. */
export function StatusChanges({ itemId }: Props) {
  const { data, error, refetch } = useStatusChanges(itemId)
  if (data?.data.length === 0) return null
  return (
    <Section title={t('Changes of status')}>
      {error && <ErrorNotice error={error} onRetry={refetch} />}
      {data !== undefined && (
        <DataTable
          label={t('Changes of status')}
          rows={data.data}
          keyOf={({ id }) => id}
          columns={[
            { title: t('Before'), cell: ({ previous_status }) => <Badge state={previous_status} /> },
            { title: t('After'), cell: ({ status }) => <Badge state={status} /> },
            { title: t('Note'), cell: ({ note }) => (note === null ? '–' : <bdi>{note}</bdi>) },
            {
              title: t('Voters'),
              cell: ({ notified_voters }) => (notified_voters ? t('were told by mail') : t('were not told')),
            },
            { title: t('Time'), cell: ({ created_at }) => <Time at={created_at} /> },
          ]}
        />
      )}
    </Section>
  )
}

/** What may be the same wish. */
export function Similar({ itemId }: Props) {
  const { project, side } = useProject()
  const { data, error, refetch } = useSimilar(itemId)
  if (data?.length === 0) return null
  return (
    <Section title={t('Similar items')}>
      {error && <ErrorNotice error={error} onRetry={refetch} />}
      <ul>
        {data?.map((item) => (
          <li key={item.id}>
            <Link to="/$project/$side/feedback/$id" params={{ project, side, id: item.id }}>
              <bdi>{titleOf(item)}</bdi>
            </Link>{' '}
            · {t('{count} {count:vote|votes}', { count: item.vote_count })} · <Badge state={item.status} />
          </li>
        ))}
      </ul>
    </Section>
  )
}
