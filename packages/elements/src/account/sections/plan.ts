import type { ChangePreview, Plan, Subscription } from '../../../../sdk/src/guildhall.ts'
import { h } from '../../base/dom.ts'
import { type Account, amountOf, dayOf, type Place, type Section } from '../section.ts'
import type { AccountKey } from '../texts.en.ts'

interface Shown {
  readonly present: { readonly id: string; readonly name: string }
  readonly subscription: Subscription | undefined
  readonly plans: readonly Plan[]
}

/** The plan of the member and its subscription. */
export const plan: Section = async (account, place) => {
  showPlan(account, place, await read(account))
}

async function read({ guildhall, connection, signal }: Account): Promise<Shown> {
  const [profile, live, plans] = await Promise.all([
    guildhall.user.profile.get({}, { signal }),
    guildhall.subscriptions.list({ limit: 1 }, { signal }),
    // A key without the capability `catalog` may not list them: then there is nothing to choose from.
    connection.open.plans.list({ limit: 100 }, { signal }).catch(() => ({ data: [] })),
  ])
  const [subscription] = live.data.filter(({ status }) => status !== 'canceled')
  return { present: profile.plan, subscription, plans: plans.data }
}

function priceOf(account: Account, { price, currency, interval }: Plan): string {
  const { say } = account
  if (price === 0) return say('free')
  const key = `interval.${interval}`
  const amount = amountOf(account, price, currency)
  const isKnown = key === 'interval.month' || key === 'interval.year' || key === 'interval.one_time'
  return isKnown ? say(key, { price: amount }) : amount
}

function statusOf(account: Account, { subscription, plans }: Shown): string | undefined {
  const { say } = account
  if (subscription === undefined) return undefined
  const { status, period_end, trial_end, cancel_at_period_end, next_plan_id } = subscription
  const date = dayOf(account, status === 'trialing' && trial_end ? trial_end : period_end)
  if (cancel_at_period_end) return say('endsOn', { date })
  const next = plans.find(({ id }) => id === next_plan_id)
  if (next) return say('changesOn', { date, plan: next.name })
  return status === 'canceled' ? undefined : say(`subscription.${status}` as AccountKey, { date })
}

function showPlan(account: Account, place: Place, shown: Shown): void {
  const { say, guildhall } = account
  const { present, subscription, plans } = shown
  const again = async () => showPlan(account, place, await read(account))
  const isWaiting = subscription?.status === 'incomplete'
  // What was chosen, also while its first bill is not paid.
  const chosen = isWaiting ? plans.find(({ id }) => id === subscription.plan_id) : undefined
  const details = chosen ?? plans.find(({ id }) => id === present.id)
  const choose = place.button(say(subscription ? 'changePlan' : 'subscribe'), async () =>
    showChoice(account, place, shown),
  )
  const resume = async (id: string) => {
    await guildhall.subscriptions.resume(id)
    await again()
    place.say(say('saved'))
  }
  const others = plans.filter(({ id, price }) => id !== present.id && price > 0)
  place.show(
    h('div', {}, h('strong', {}, chosen?.name ?? present.name), details && ` · ${priceOf(account, details)}`),
    h('p', { class: 'muted' }, statusOf(account, shown)),
    h(
      'div',
      { class: 'actions' },
      others.length > 0 && !isWaiting && choose,
      subscription &&
        (subscription.cancel_at_period_end
          ? place.button(say('resume'), () => resume(subscription.id))
          : place.button(
              say('cancelPlan'),
              async () => showCancel(account, place, subscription),
              'button danger',
            )),
    ),
  )
}

function showChoice(account: Account, place: Place, shown: Shown): void {
  const { say, guildhall } = account
  const { present, subscription, plans } = shown
  const rows = plans
    .filter(({ id, price }) => id !== present.id && price > 0)
    .map((each, i) =>
      h(
        'label',
        { class: 'plan' },
        h('input', { type: 'radio', name: 'plan', value: each.id, checked: i === 0 }),
        h(
          'span',
          {},
          h('strong', {}, each.name),
          h('span', { class: 'muted' }, priceOf(account, each), each.description && ` · ${each.description}`),
        ),
      ),
    )
  const chosen = () => group.querySelector<HTMLInputElement>(':checked')?.value ?? ''
  const go = async () => {
    const plan_id = chosen()
    if (subscription) {
      const preview = await guildhall.subscriptions.previewChange(subscription.id, { plan_id })
      return showPreview(account, place, {
        subscription,
        preview,
        name: plans.find(({ id }) => id === plan_id)?.name ?? '',
      })
    }
    await changed(account, place, await guildhall.subscriptions.create({ plan_id }))
  }
  const group = h('fieldset', {}, h('legend', {}, say('choosePlan')), h('div', { class: 'plans' }, ...rows))
  const back = place.button(say('cancel'), () => plan(account, place).then(() => place.focus()))
  place.show(group, h('div', { class: 'actions' }, place.button(say('preview'), go, 'button primary'), back))
  place.focus()
}

interface Offer {
  readonly subscription: Subscription
  readonly preview: ChangePreview
  readonly name: string
}

/** Shows what a change costs; exactly that is charged. */
function showPreview(account: Account, place: Place, { subscription, preview, name }: Offer): void {
  const { say, guildhall } = account
  const { amount, currency, date, lines, plan_id, preview_id, takes_effect } = preview
  const act = async () => {
    await changed(
      account,
      place,
      await guildhall.subscriptions.change(subscription.id, { plan_id, preview_id }),
    )
  }
  const isNow = takes_effect === 'now'
  const rows = lines.map((line) =>
    h('li', {}, h('div', {}, line.description), amountOf(account, line.amount, currency)),
  )
  const back = place.button(say('cancel'), () => plan(account, place).then(() => place.focus()))
  place.show(
    rows.length > 0 && h('ul', { class: 'list' }, ...rows),
    h(
      'p',
      {},
      h(
        'strong',
        {},
        amount > 0 ? say('dueNow', { amount: amountOf(account, amount, currency) }) : say('nothingNow'),
      ),
    ),
    h(
      'p',
      { class: 'muted' },
      isNow ? say('takesEffectNow') : say('takesEffect', { date: dayOf(account, date) }),
    ),
    h(
      'div',
      { class: 'actions' },
      place.button(say('confirmPlan', { plan: name }), act, 'button primary'),
      back,
    ),
  )
  place.focus()
}

/** Shows what a change has led to, with its bill. */
async function changed(account: Account, place: Place, made: Subscription): Promise<void> {
  account.emit('subscription', { subscription: made })
  await plan(account, place)
  account.reload('bills')
  // Of one that waits for its first payment, the part says so itself.
  if (made.status !== 'incomplete') place.say(account.say('planChanged'))
}

function showCancel(account: Account, place: Place, { id, status, period_end }: Subscription): void {
  const { say, guildhall } = account
  // One that was never paid has no period to wait for.
  const isNow = status === 'incomplete'
  const date = dayOf(account, isNow ? new Date().toISOString() : period_end)
  const act = async () => {
    const made = await guildhall.subscriptions.cancel(id, { at: isNow ? 'now' : 'period_end' })
    await changed(account, place, made)
    place.say(say('canceled', { date }))
  }
  const back = place.button(say('cancel'), () => plan(account, place).then(() => place.focus()))
  place.show(
    !isNow && h('p', {}, say('cancelSure', { date })),
    h('div', { class: 'actions' }, place.button(say('cancelYes'), act, 'button danger'), back),
  )
  place.focus()
}
