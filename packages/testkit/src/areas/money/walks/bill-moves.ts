import type { Bill } from '#areas/billing/bills/schema.ts'
import { payWith, replaceCard, type ShownPayment } from '../payments.ts'
import { cents } from './facts.ts'
import { post, type Walker, type World } from './world.ts'

const DAY_MS = 86_400_000

/** One thing that a member, an operator or a bank does. Where it is not possible, nothing happens, or the API refuses it. */
export type Move = (world: World, walker: Walker) => Promise<unknown>

const live = ({ facts }: Walker) => facts.subscriptions.find(({ status }) => status !== 'canceled')
const some = <T>({ dice }: World, of: readonly T[]): T | undefined =>
  of.length === 0 ? undefined : dice.one(of)

const subscribe: Move = (world, { id }) =>
  post(world, '/subscriptions', {
    ...{ member_id: id, plan_id: world.dice.one(world.plans) },
    ...(world.dice.chance(0.2) && { trial: world.dice.chance(0.5) }),
  })

const change: Move = async (world, walker) => {
  const { dice } = world
  const subscription = live(walker)
  if (subscription === undefined) return
  const when = dice.one(['now', 'now', 'now', 'period_end', undefined] as const)
  // Nearly always another one than the present one.
  const others = world.plans.filter((id) => id !== subscription.plan_id || dice.chance(0.05))
  const body = { plan_id: dice.one(others), ...(when && { when }) }
  if (dice.chance(0.7)) return post(world, `/subscriptions/${subscription.id}/change`, body)
  const path = `/subscriptions/${subscription.id}/preview-change`
  const { status, data } = await post<{ preview_id: string }>(world, path, body)
  if (status !== 200) return
  const agreed = { ...body, preview_id: data.preview_id }
  return post(world, `/subscriptions/${subscription.id}/change`, agreed)
}

const act =
  (verb: string, bodyOf: (world: World, walker: Walker) => object | undefined): Move =>
  async (world, walker) => {
    const subscription = live(walker) ?? some(world, walker.facts.subscriptions)
    if (subscription === undefined) return
    return post(world, `/subscriptions/${subscription.id}/${verb}`, bodyOf(world, walker))
  }

const cancel = act('cancel', ({ dice }) => ({ at: dice.one(['now', 'period_end'] as const) }))
const resume = act('resume', () => undefined)
const pause = act('pause', ({ dice }, { facts }) =>
  dice.chance(0.5) ? {} : { resume_at: new Date(facts.now + (1 + dice.upTo(20)) * DAY_MS).toISOString() },
)

/** Money is handed over for a bill: one that is open, or, late, one that was given up. */
const markPaid: Move = async (world, walker) => {
  const payable = walker.facts.bills.filter(({ status }) => status === 'open' || status === 'uncollectible')
  const bill = some(world, payable)
  if (bill === undefined) return
  const { status, data } = await post<Bill>(world, `/bills/${bill.id}/mark-paid`)
  if (status === 200) walker.paidIn += cents(data.total)
}

/** A member begins to pay in the browser, and may finish it later. */
const payByCard: Move = async (world, walker) => {
  const bill = some(
    world,
    walker.facts.bills.filter(({ status }) => status === 'open' || status === 'uncollectible'),
  )
  if (bill === undefined) return
  const { status, data } = await post<ShownPayment>(world, `/bills/${bill.id}/pay`)
  if (status === 200) confirm(world, walker, data)
}

/** The browser of a member hands a card in for a payment, or leaves it for later. */
export function confirm(world: World, walker: Walker, payment: ShownPayment): void {
  walker.begun.push(payment)
  if (world.dice.chance(0.25)) return
  const card = world.dice.one(['good', 'good', 'good', 'declined', 'asks_owner'] as const)
  finish(world, payment, card)
}

/** Late money: the browser pays what was begun long ago. */
const payLate: Move = async (world, walker) => {
  const payment = some(world, walker.begun)
  if (payment !== undefined) finish(world, payment, 'good')
}

function finish(world: World, payment: ShownPayment, card: Parameters<typeof payWith>[2]): void {
  // It was paid or ended a moment ago: the browser says so.
  try {
    payWith(world.env.stripe, payment, card)
    world.log.push(`pays ${payment.id} with a card that is ${card}`)
    if (card === 'asks_owner' && world.dice.chance(0.7))
      world.env.stripe.ledger.succeed(payment.provider_reference ?? '')
  } catch {}
}

const replace: Move = async (world, walker) => {
  const subscription = live(walker)
  if (subscription === undefined || world.account === undefined) return
  const card = world.dice.one(['good', 'declined', 'declined'] as const)
  const { side, env, account } = world
  const own = { ...env, side, accounts: { ...env.accounts, side: account } }
  // The subscription may have ended a moment ago.
  await replaceCard(own, subscription, card).catch(() => undefined)
  world.log.push(`hands in a card that is ${card}`)
}

const voidBill: Move = async (world, walker) => {
  const bill = some(
    world,
    walker.facts.bills.filter(({ status }) => status === 'open'),
  )
  if (bill !== undefined) return post(world, `/bills/${bill.id}/void`)
}

/** What a refund is asked for: a part, or everything as far as is known. */
export const partOf = ({ dice }: World, left: number): number =>
  (dice.chance(0.4) ? left : 1 + dice.upTo(left)) / 100

const refundBill: Move = async (world, walker) => {
  const paid = walker.facts.bills.filter(
    ({ status, total, amount_refunded }) => status === 'paid' && total > amount_refunded,
  )
  const bill = some(world, paid)
  if (bill === undefined) return
  const amount = partOf(world, cents(bill.total) - cents(bill.amount_refunded))
  const to = world.dice.one(['payment', 'credit'] as const)
  const { status } = await post(world, `/bills/${bill.id}/refund`, { to, amount })
  if (status === 200 && to === 'payment' && isByHand(bill)) walker.givenBack += cents(amount)
}

/** Whether the money of a bill or an order came by hand; then Stripe knows nothing of it. */
export const isByHand = ({
  payments,
}: {
  payments: readonly { status: string; provider_reference: string | null }[]
}) => payments.some(({ status, provider_reference }) => status === 'succeeded' && provider_reference === null)

const giveCredit: Move = async (world, walker) => {
  const amount = (world.dice.upTo(4_000) - 1_500) / 100
  const body = { amount, currency: 'eur', reason: 'A walk' }
  const { status } = await post(world, `/members/${walker.id}/credit`, body)
  if (status === 201) walker.operators += cents(amount)
}

const remove: Move = async (world, walker) => {
  const { status } = await world.side.admin.delete(`/members/${walker.id}`)
  world.log.push(`DELETE the member → ${status}`)
  if (status === 200) walker.isDeleted = true
}

export const BILL_MOVES = {
  any: { subscribe, change, cancel, resume, pause, voidBill, refundBill, giveCredit, remove },
  hand: { markPaid },
  card: { payByCard, payLate, replace, markPaid },
}

/** Moves whose choices are made, for ways that are known: plans by their place in the world. */
export const GIVEN = {
  subscribe:
    (plan: number): Move =>
    (world, { id }) =>
      post(world, '/subscriptions', { member_id: id, plan_id: world.plans[plan], trial: false }),
  changeNow:
    (plan: number): Move =>
    (world, walker) =>
      post(world, `/subscriptions/${live(walker)?.id}/change`, { plan_id: world.plans[plan], when: 'now' }),
  cancelNow: ((world, walker) =>
    post(world, `/subscriptions/${live(walker)?.id}/cancel`, { at: 'now' })) satisfies Move,
  credit:
    (amount: number): Move =>
    async (world, walker) => {
      await post(world, `/members/${walker.id}/credit`, { amount, currency: 'eur', reason: 'A walk' })
      walker.operators += cents(amount)
    },
}
