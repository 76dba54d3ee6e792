import type { ListedModerationRule } from '@guildhall/sdk'
import { useState } from 'react'
import { useRights } from '../../data/role.ts'
import { t } from '../../data/words.ts'
import { Badge } from '../../ui/badge/badge.tsx'
import { Button } from '../../ui/button/button.tsx'
import { ListScreen } from '../../ui/list-screen/list-screen.tsx'
import { Empty } from '../../ui/notice/notice.tsx'
import { Time } from '../../ui/time/time.tsx'
import { kindNames } from './case.tsx'
import { useRules } from './queries.ts'
import { EditRule } from './rule-form.tsx'
import { ModerationViews } from './views.tsx'

/** What a rule looks for, in one sentence. */
export function limitOf(rule: ListedModerationRule): string {
  switch (rule.kind) {
    case 'words':
      return t('{count} {count:word|words}', { count: rule.word_count })
    case 'links':
      return t('More than {count} {count:link|links}', { count: rule.max_links ?? 0 })
    case 'rate':
      return t('More than {count} {count:post|posts} in {minutes} {minutes:minute|minutes}', {
        count: rule.max_posts ?? 0,
        minutes: rule.per_minutes ?? 0,
      })
    case 'duplicates':
      return t('The same text again within {minutes} {minutes:minute|minutes}', {
        minutes: rule.per_minutes ?? 0,
      })
    case 'hook':
      return rule.url ?? ''
    default:
      return authorsOf(rule)
  }
}

/** Of which authors a rule is, in one sentence; empty for all. */
export function authorsOf({
  younger_than_hours: hours,
  fewer_posts_than: posts,
}: ListedModerationRule): string {
  return [
    hours === null ? '' : t('Joined less than {hours} {hours:hour|hours} ago', { hours }),
    posts === null ? '' : t('Fewer than {count} {count:post|posts}', { count: posts }),
  ]
    .filter(Boolean)
    .join(' · ')
}

export function RuleList() {
  const list = useRules()
  const { canChange } = useRights()
  const [isCreating, setCreating] = useState(false)
  const names = kindNames()
  return (
    <>
      <ListScreen
        title={t('Moderation rules')}
        views={<ModerationViews />}
        actions={
          canChange && (
            <Button kind="primary" onPress={() => setCreating(true)}>
              {t('Create a rule')}
            </Button>
          )
        }
        list={list}
        filters={[
          {
            name: 'enabled',
            label: t('Status'),
            values: ['true', 'false'],
            titleOf: (value) => (value === 'true' ? t('enabled') : t('disabled')),
          },
        ]}
        keyOf={({ id }) => id}
        linkOf={({ id }) => ({ to: '/$project/$side/moderation/rules/$id', params: { ...list.params, id } })}
        columns={[
          { title: t('Name'), cell: ({ name, kind }) => <bdi>{name || names[kind] || kind}</bdi> },
          { title: t('Kind'), cell: ({ kind }) => names[kind] ?? kind },
          { title: t('What it finds'), cell: (rule) => <bdi>{limitOf(rule)}</bdi> },
          {
            title: t('What it does'),
            cell: ({ action }) => (action === 'refuse' ? t('Refuses the post') : t('Holds the post')),
          },
          { title: t('Status'), cell: ({ enabled }) => <Badge state={enabled ? 'enabled' : 'disabled'} /> },
          { title: t('Changed'), cell: ({ updated_at }) => <Time at={updated_at} /> },
        ]}
        empty={
          <Empty title={t('There are no rules yet')}>
            {t('A rule holds or refuses posts by words, links, how many there are, or who writes them.')}
          </Empty>
        }
      />
      {isCreating && <EditRule onClose={() => setCreating(false)} />}
    </>
  )
}
