import type { Entitlements } from '@guildhall/sdk'
import { useQuery } from '@tanstack/react-query'
import { useProject } from '../../data/list-query.ts'
import { t } from '../../data/words.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { Fields } from '../../ui/fields/fields.tsx'
import { ErrorNotice } from '../../ui/notice/notice.tsx'
import { Section } from '../../ui/page/page.tsx'
import { PlanLink } from '../../ui/plan-link/plan-link.tsx'
import { Time } from '../../ui/time/time.tsx'

const sources = (): Readonly<Record<string, string>> => ({
  default: t('The default plan'),
  operator: t('An operator or a key'),
  subscription: t('A subscription'),
  order_line: t('An order'),
})

/** What a member may use now, and by what. @param props.id of the member */
export function EntitlementsOf({ id }: { readonly id: string }) {
  const { project, side, client } = useProject()
  const { data, error, refetch } = useQuery({
    queryKey: [project, side, 'members', id, 'entitlements'],
    queryFn: ({ signal }) => client.members.entitlements.get(id, { signal }),
  })
  return (
    <Section title={t('What the member may use')}>
      {error && <ErrorNotice error={error} onRetry={refetch} />}
      {data && <Facts of={data} />}
      {data !== undefined && data.grants.length > 0 && <Grants of={data.grants} />}
    </Section>
  )
}

function Facts({ of: { active, plan, features, limits } }: { readonly of: Entitlements }) {
  return (
    <Fields
      fields={[
        [
          t('At present'),
          active ? t('What is below') : t('Nothing: only active members may use what they have'),
        ],
        [t('Plan by'), sources()[plan.source.type] ?? plan.source.type],
        [t('Plan ends'), plan.ends_at === null ? t('No planned end') : <Time key="ends" at={plan.ends_at} />],
        [t('Features'), features.length > 0 && <code key="features">{features.join(', ')}</code>],
        ...Object.entries(limits).map(
          ([name, value]) => [t('Limit: {name}', { name }), String(value)] as const,
        ),
      ]}
    />
  )
}

/** What was given beside the plan, each with its end. */
function Grants({ of }: { readonly of: Entitlements['grants'] }) {
  return (
    <DataTable
      label={t('Grants')}
      rows={of}
      keyOf={({ id }) => id}
      columns={[
        {
          title: t('Grant'),
          cell: ({ plan_id, features }) => (
            <>
              {plan_id !== null && <PlanLink id={plan_id} />} {features.join(', ')}
            </>
          ),
        },
        { title: t('By'), cell: ({ source: { type } }) => sources()[type] ?? type },
        { title: t('Since'), cell: ({ starts_at }) => <Time at={starts_at} /> },
        {
          title: t('Until'),
          cell: ({ ends_at }) => (ends_at === null ? t('No planned end') : <Time at={ends_at} />),
        },
      ]}
    />
  )
}
