import type { ChangePreview, MemberWithPlan, Plan, Subscription } from '@guildhall/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { faultOf } from '../../data/faults.ts'
import { useProject } from '../../data/list-query.ts'
import { usePlans } from '../../data/plan-names.ts'
import { t } from '../../data/words.ts'
import { FormDialog } from '../../ui/form-dialog/form-dialog.tsx'
import { formatMoney } from '../../ui/money/format-money.ts'
import { ErrorNotice } from '../../ui/notice/notice.tsx'
import { priceOf } from '../../ui/price/price.tsx'
import { Select } from '../../ui/select/select.tsx'
import { Time } from '../../ui/time/time.tsx'
import { useMemberAct } from './queries.ts'

const LIVE: readonly string[] = ['trialing', 'active', 'past_due']

/** The subscription of a member that goes on, if there is one. */
function useLiveSubscription(id: string) {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, 'members', id, 'subscription'],
    queryFn: async ({ signal }): Promise<Subscription | null> => {
      const { data } = await client.subscriptions.list({ member_id: id, limit: 20 }, { signal })
      return data.find(({ status }) => LIVE.includes(status)) ?? null
    },
  })
}

/** What a change of a subscription costs; undefined where none is changed. */
function usePreview(subscription: Subscription | undefined, plan: string) {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, 'subscriptions', subscription?.id, 'preview', plan],
    queryFn: () => client.subscriptions.previewChange(subscription?.id ?? '', { plan_id: plan }),
    enabled: subscription !== undefined && plan !== '' && plan !== subscription.plan_id,
    retry: false,
    staleTime: 0,
  })
}

type Way = 'paid' | 'free'

interface Choice {
  readonly plan: string
  readonly way: Way
  readonly subscription: Subscription | null
  readonly preview: ChangePreview | undefined
}

interface Props {
  readonly member: MemberWithPlan
  readonly onClose: () => void
}

/** Moves a member to another plan. What it costs is said before it happens. */
export function ChangePlan({ member, onClose }: Props) {
  const { data: plans } = usePlans()
  const { data: subscription } = useLiveSubscription(member.id)
  const [chosen, setPlan] = useState('')
  const [way, setWay] = useState<Way>('paid')
  const plan = plans?.find(({ id }) => id === chosen)
  const isPaid = way === 'paid' && (subscription != null || (plan?.price ?? 0) > 0)
  const preview = usePreview(isPaid ? (subscription ?? undefined) : undefined, chosen)
  const save = useMemberAct<object, Choice>(
    (client, { plan: plan_id, way: by, subscription: present, preview: seen }: Choice) => {
      if (by === 'free') return client.members.update(member.id, { plan_id })
      if (present === null) return client.subscriptions.create({ member_id: member.id, plan_id })
      const preview_id = seen?.preview_id
      return client.subscriptions.change(present.id, { plan_id, ...(preview_id && { preview_id }) })
    },
    onClose,
  )
  const offered = (plans ?? []).filter(({ id, status }) => status === 'active' && id !== member.plan_id)
  return (
    <FormDialog
      title={t('Change the plan of {name}', { name: member.full_name || member.email })}
      verb={t('Change plan')}
      isPending={save.isPending}
      error={save.error}
      fields={['plan_id']}
      onSubmit={() => {
        if (plan === undefined || subscription === undefined || (isPaid && preview.isFetching)) return
        save.mutate({ plan: plan.id, way: isPaid ? 'paid' : 'free', subscription, preview: preview.data })
      }}
      onClose={onClose}
    >
      <p>{t('Present plan: {name}', { name: member.plan.name })}</p>
      <Select
        label={t('New plan')}
        isLabelShown
        options={[
          { id: '', name: t('Choose a plan') },
          ...offered.map((each) => ({ id: each.id, name: `${each.name} · ${priceOf(each)}` })),
        ]}
        value={chosen}
        onChange={setPlan}
        error={faultOf(save.error, 'plan_id')}
      />
      <Select
        label={t('How')}
        isLabelShown
        options={[
          { id: 'paid', name: t('With its price, by a subscription') },
          { id: 'free', name: t('Set by hand, without a price') },
        ]}
        value={way}
        onChange={(value) => setWay(value as Way)}
      />
      {preview.error && isPaid && <ErrorNotice error={preview.error} />}
      {plan !== undefined && subscription !== undefined && (
        <Effect {...{ plan, isPaid, subscription, preview: preview.data }} />
      )}
    </FormDialog>
  )
}

interface EffectProps {
  readonly plan: Plan
  readonly isPaid: boolean
  readonly subscription: Subscription | null
  readonly preview: ChangePreview | undefined
}

/** What happens, with its amounts. */
function Effect({ plan, isPaid, subscription, preview }: EffectProps) {
  return (
    <div role="status">
      {!isPaid && <p>{t('The plan counts at once. Nothing is charged for it.')}</p>}
      {!isPaid && subscription !== null && (
        <p>{t('The running subscription is canceled, and nothing is paid back.')}</p>
      )}
      {isPaid && subscription === null && (
        <p>
          {plan.trial_days > 0
            ? t('A subscription begins, with {days} {days:day|days} of trial; then {price}.', {
                days: plan.trial_days,
                price: priceOf(plan),
              })
            : t('A subscription begins, with a first bill of {price}. The plan counts when it is paid.', {
                price: formatMoney(plan.price, plan.currency),
              })}
        </p>
      )}
      {isPaid && preview !== undefined && (
        <>
          <p>
            {preview.when === 'now'
              ? t('It changes now, and charges {amount}.', {
                  amount: formatMoney(preview.amount, preview.currency),
                })
              : t('It changes at the end of the paid period, and charges nothing now.')}{' '}
            <Time at={preview.date} />
          </p>
          {preview.next_bill !== null && (
            <p>
              {t('The next bill is {amount}.', {
                amount: formatMoney(preview.next_bill.total, preview.next_bill.currency),
              })}
            </p>
          )}
        </>
      )}
    </div>
  )
}
