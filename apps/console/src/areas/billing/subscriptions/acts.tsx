import type { Subscription } from '@guildhall/sdk'
import { useState } from 'react'
import { useRights } from '../../../data/role.ts'
import { t } from '../../../data/words.ts'
import { Button } from '../../../ui/button/button.tsx'
import { ReplaceCard } from './card.tsx'
import { ChangePlan } from './change.tsx'
import { CancelSubscription, PauseSubscription, ResumeSubscription } from './dialogs.tsx'

const DIALOGS = {
  change: ChangePlan,
  card: ReplaceCard,
  pause: PauseSubscription,
  resume: ResumeSubscription,
  cancel: CancelSubscription,
}
type Act = keyof typeof DIALOGS

/** What the API takes of a subscription in its state. */
function actsOf(subscription: Subscription): readonly Act[] {
  const { status, payment_account_id: account } = subscription
  // What is paid by hand has no card.
  const card: readonly Act[] = status === 'canceled' || account === null ? [] : ['card']
  return [...movesOf(subscription), ...card]
}

function movesOf({ status, cancel_at_period_end: ends }: Subscription): readonly Act[] {
  if (status === 'canceled') return []
  if (status === 'incomplete') return ['cancel']
  if (status === 'paused') return ['resume', 'cancel']
  const pause: readonly Act[] = status === 'active' ? ['pause'] : []
  return ends ? ['change', 'resume', 'cancel'] : ['change', ...pause, 'cancel']
}

export function SubscriptionActs({ subscription }: { readonly subscription: Subscription }) {
  const { canChange } = useRights()
  const [open, setOpen] = useState<Act>()
  if (!canChange) return null
  const names: Readonly<Record<Act, string>> = {
    change: t('Change the plan'),
    card: t('Replace the card'),
    pause: t('Pause'),
    resume: t('Resume'),
    cancel: t('Cancel the subscription'),
  }
  const Open = open && DIALOGS[open]
  return (
    <>
      {actsOf(subscription).map((act) => (
        <Button key={act} onPress={() => setOpen(act)}>
          {names[act]}
        </Button>
      ))}
      {Open && <Open subscription={subscription} onClose={() => setOpen(undefined)} />}
    </>
  )
}
