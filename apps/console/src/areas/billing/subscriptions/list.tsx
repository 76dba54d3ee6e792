import { usePlanChoices } from '../../../data/plan-names.ts'
import { t } from '../../../data/words.ts'
import { Badge } from '../../../ui/badge/badge.tsx'
import { ExportButton } from '../../../ui/export-button/export-button.tsx'
import { ListScreen } from '../../../ui/list-screen/list-screen.tsx'
import { MemberName } from '../../../ui/member-link/member-link.tsx'
import { Empty } from '../../../ui/notice/notice.tsx'
import { PlanLink } from '../../../ui/plan-link/plan-link.tsx'
import { Price } from '../../../ui/price/price.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { SUBSCRIPTION_STATES, useSubscriptions } from '../queries.ts'

export function SubscriptionList() {
  const list = useSubscriptions()
  const { plans, nameOf } = usePlanChoices()
  return (
    <ListScreen
      title={t('Subscriptions')}
      list={list}
      actions={<ExportButton of="subscriptions" filters={list.search} />}
      searchLabel={t('Search by member')}
      dates={t('Created')}
      filters={[
        { name: 'status', label: t('Status'), values: SUBSCRIPTION_STATES },
        { name: 'plan_id', label: t('Plan'), values: plans.map(({ id }) => id), titleOf: nameOf },
        { name: 'member_id', label: t('Member id') },
      ]}
      keyOf={({ id }) => id}
      linkOf={({ id }) => ({ to: '/$project/$side/subscriptions/$id', params: { ...list.params, id } })}
      columns={[
        { title: t('Member'), cell: ({ member_id }) => <MemberName id={member_id} /> },
        { title: t('Plan'), cell: ({ plan_id }) => <PlanLink id={plan_id} /> },
        { title: t('Status'), cell: ({ status }) => <Badge state={status} /> },
        { title: t('Price'), cell: (subscription) => <Price of={subscription} />, isNumber: true },
        { title: t('Period ends'), cell: ({ period_end }) => <Time at={period_end} />, hideBelow: 850 },
        {
          title: t('Created'),
          cell: ({ created_at }) => <Time at={created_at} />,
          sort: 'created_at',
          hideBelow: 700,
        },
      ]}
      empty={
        <Empty title={t('There are no subscriptions yet')}>
          {t('A subscription appears here when a member subscribes to a plan.')}
        </Empty>
      }
    />
  )
}
