import type { ProtectionRuleInFull } from '@guildhall/sdk'
import { usePlans } from '../../data/plan-names.ts'
import { useRights } from '../../data/role.ts'
import { t } from '../../data/words.ts'
import { Badge } from '../../ui/badge/badge.tsx'
import { ButtonLink } from '../../ui/button/button-link.tsx'
import type { Column } from '../../ui/data-table/data-table.tsx'
import { ListScreen } from '../../ui/list-screen/list-screen.tsx'
import { Empty } from '../../ui/notice/notice.tsx'
import { Time } from '../../ui/time/time.tsx'
import { useRules } from './queries.ts'
import { neededWords } from './words.ts'

type NameOf = (plan: string) => string

const columnsOf = (nameOf: NameOf): Column<ProtectionRuleInFull>[] => [
  { title: t('Pages'), cell: ({ url_pattern }) => <code>{url_pattern}</code>, sort: 'url_pattern' },
  { title: t('Who may see them'), cell: (rule) => <bdi>{neededWords(rule, nameOf)}</bdi> },
  { title: t('Others go to'), cell: ({ redirect_url }) => redirect_url ?? '–' },
  {
    title: t('Status'),
    cell: ({ is_active }) => <Badge state={is_active ? 'active' : 'inactive'} />,
  },
  { title: t('Created'), cell: ({ created_at }) => <Time at={created_at} />, sort: 'created_at' },
]

export function RuleList() {
  const list = useRules()
  const { canChange } = useRights()
  const { data: plans } = usePlans()
  const nameOf = (plan: string) => plans?.find(({ id }) => id === plan)?.name ?? plan
  const create = canChange && (
    <ButtonLink kind="primary" to="/$project/$side/page-rules/new" params={list.params}>
      {t('Create a rule')}
    </ButtonLink>
  )
  return (
    <ListScreen
      title={t('Page rules')}
      list={list}
      searchLabel={t('Search rules')}
      dates={t('Created')}
      filters={[
        {
          name: 'is_active',
          label: t('Status'),
          values: ['true', 'false'],
          titleOf: (value) => (value === 'true' ? t('active') : t('inactive')),
        },
        ...(plans === undefined || plans.length === 0
          ? []
          : [{ name: 'plan_id', label: t('Plan'), values: plans.map(({ id }) => id), titleOf: nameOf }]),
      ]}
      actions={
        <>
          <ButtonLink to="/$project/$side/page-rules/explain" params={list.params}>
            {t('Explain an address')}
          </ButtonLink>
          {create}
        </>
      }
      keyOf={({ id }) => id}
      linkOf={({ id }) => ({ to: '/$project/$side/page-rules/$id', params: { ...list.params, id } })}
      columns={columnsOf(nameOf)}
      empty={
        <Empty title={t('There are no page rules yet')}>
          {t('A rule says who may see pages of your site, such as all below /courses.')}
          {create}
        </Empty>
      }
    />
  )
}
