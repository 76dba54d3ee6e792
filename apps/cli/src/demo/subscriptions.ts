import { giveUpBill } from '#areas/billing/bills/end-open-bill.ts'
import { getBill } from '#areas/billing/bills/queries.ts'
import { refundBill } from '#areas/billing/bills/refunds/refund.ts'
import { createEntry } from '#areas/billing/credit/service.ts'
import { recordRefund } from '#areas/billing/payments/refunds/refund.ts'
import { payByHand } from '#areas/billing/service.ts'
import { applyEvent } from '#areas/billing/subscriptions/override.ts'
import {
  changeSubscription,
  createSubscription,
  lockSubscription,
  move,
} from '#areas/billing/subscriptions/service.ts'
import { subscriptionId } from '#areas/entitlements/ids.ts'
import { archivePlan, createPlan, updatePlan } from '#areas/plans/service.ts'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { parseId } from '#platform/ids.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from './agenda.ts'
import { as, type Part, type Person, readPeople, type Scene } from './part.ts'

/** Stored ids of plans, by what they are here. */
export interface Plans {
  readonly monthly: string
  readonly studio: string
  readonly trial: string
  readonly yearly: string
}

/** The plans that members of the demo subscribe to, beside those of the small seed. */
async function makePlans(ctx: Context): Promise<Plans> {
  const month = { currency: 'eur', interval: 'month' } as const
  const make = async (input: Parameters<typeof createPlan>[1]) =>
    parseId('plan', (await createPlan(ctx, input)).id) ?? ''
  const monthly = await make({ ...month, name: 'Weaver', price: 12, rank: 12, features: ['downloads'] })
  const studio = await make({
    ...month,
    name: 'Studio',
    price: 39,
    rank: 30,
    features: ['downloads', 'patterns'],
  })
  const trial = await make({ ...month, name: 'Apprentice', price: 19, rank: 15, trial_days: 14 })
  const yearly = await make({ ...month, interval: 'year', name: 'Guild year', price: 240, rank: 25 })
  await make({
    currency: 'eur',
    interval: 'one_time',
    name: 'Founder',
    price: 199,
    rank: 40,
    visibility: 'hidden',
  })
  await archivePlan(ctx, await make({ ...month, name: 'Early bird', price: 7, rank: 5 }))
  return { monthly, studio, trial, yearly }
}

/** What a member does with bills: days until one is paid, or never. */
type Pays = number | 'never'

/** How one member's subscription goes. Days are counted from its begin. */
interface Life {
  /** How many live so, of sixty. */
  readonly count: number
  readonly plan: keyof Plans
  /** How many days ago it begins, at the most and at the least. */
  readonly begins: readonly [number, number]
  /** Of the first bill, and of those after it; the last one counts for all others. */
  readonly pays: readonly Pays[]
  readonly goes?: (life: Living) => void
}

interface Living {
  readonly scene: Scene
  readonly plans: Plans
  readonly person: Person
  readonly begins: number
  /** The stored id. */
  readonly id: () => string
  /** Has something happen so many days after the begin. */
  readonly on: (day: number, act: (ctx: Context, id: string) => unknown) => void
}

const GIFT = { amount: 5, currency: 'eur', reason: 'The service was down on a Monday' }

type Event = Parameters<typeof move>[2]
const moves = (event: Event) => async (ctx: Context, id: string) =>
  move(ctx, await lockSubscription(ctx, id), event)
const changes = (planId: string) => (ctx: Context, id: string) =>
  changeSubscription(ctx, id, { planId, when: undefined, previewId: undefined })

/** Seventy lives, with everything that can become of a subscription. */
const LIVES: readonly Life[] = [
  { count: 18, plan: 'monthly', begins: [88, 2], pays: [0.2, 1.5] },
  { count: 4, plan: 'studio', begins: [80, 10], pays: [0.1, 0.5] },
  { count: 3, plan: 'yearly', begins: [85, 20], pays: [1] },
  { count: 4, plan: 'trial', begins: [70, 40], pays: [2] },
  { count: 3, plan: 'trial', begins: [11, 1], pays: [2] },
  // Trials that nobody goes on with.
  {
    count: 2,
    plan: 'trial',
    begins: [50, 30],
    pays: ['never'],
    goes: ({ on }) => on(9, moves({ type: 'cancel', at: 'period_end' })),
  },
  // A renewal that is paid late: past due, and recovered.
  { count: 5, plan: 'monthly', begins: [88, 62], pays: [0.3, 17, 1] },
  { count: 4, plan: 'monthly', begins: [49, 46], pays: [0.3, 'never'] },
  // A renewal that is never paid ends it.
  { count: 4, plan: 'monthly', begins: [85, 58], pays: [0.3, 'never'] },
  {
    count: 3,
    plan: 'monthly',
    begins: [75, 50],
    pays: [0.2, 1],
    goes: ({ on }) => on(20, moves({ type: 'cancel', at: 'period_end' })),
  },
  {
    count: 2,
    plan: 'monthly',
    begins: [25, 15],
    pays: [0.2],
    goes: ({ on }) => on(8, moves({ type: 'cancel', at: 'period_end' })),
  },
  {
    count: 2,
    plan: 'studio',
    begins: [60, 35],
    pays: [0.2, 1],
    goes: ({ on }) => on(12, moves({ type: 'cancel', at: 'now' })),
  },
  {
    count: 2,
    plan: 'monthly',
    begins: [28, 18],
    pays: [0.2],
    goes: ({ on }) => on(10, moves({ type: 'pause', until: null })),
  },
  {
    ...{ count: 2, plan: 'monthly', begins: [70, 55], pays: [0.2, 1] },
    goes: ({ on }) => {
      on(10, moves({ type: 'pause', until: null }))
      on(24, moves({ type: 'resume' }))
    },
  },
  // Upgraded in the middle of a period, with what is left of the old plan taken off.
  {
    count: 4,
    plan: 'monthly',
    begins: [60, 30],
    pays: [0.2, 0.5],
    goes: ({ on, plans }) => on(14.5, changes(plans.studio)),
  },
  {
    count: 2,
    plan: 'studio',
    begins: [24, 12],
    pays: [0.2],
    goes: ({ on, plans }) => on(7, changes(plans.monthly)),
  },
  {
    ...{ count: 2, plan: 'monthly', begins: [66, 50], pays: [0.2, 1] },
    goes: ({ on, scene, person }) => on(12, () => createEntry(scene.ctx, person.id, GIFT)),
  },
  {
    count: 2,
    plan: 'studio',
    begins: [55, 40],
    pays: [0.2, 1],
    goes: ({ on, scene }) => on(3, refunds(scene, 'payment', 10)),
  },
  {
    count: 2,
    plan: 'studio',
    begins: [55, 40],
    pays: [0.2, 1],
    goes: ({ on, scene }) => on(3, refunds(scene, 'credit', 6.5)),
  },
  // A refund whose money the bank sends back.
  {
    ...{ count: 1, plan: 'studio', begins: [45, 38], pays: [0.2, 1] },
    goes: ({ on, scene }) => {
      on(3, refunds(scene, 'payment', 12))
      on(9, (_, subscription) => bounceRefund(scene, subscription))
    },
  },
  // First bills that wait for money by hand, one that nobody waits for any more, and one that came to nothing.
  { count: 3, plan: 'monthly', begins: [6, 1], pays: ['never'] },
  { count: 1, plan: 'monthly', begins: [40, 30], pays: ['never'] },
  { count: 1, plan: 'studio', begins: [33, 28], pays: ['never'], goes: ({ on }) => on(2, voids) },
]

/** Subscriptions with their bills: trials, renewals, failures, recoveries, pauses, changes, credit and refunds. */
export const subscriptions: Part = {
  name: 'subscriptions',
  due: ['billing.advance-subscriptions', 'entitlements.turn-grants'],
  begin: async () => async (scene) => {
    const { ctx, agenda } = scene
    const people = (await readPeople(ctx)).toReversed()
    let plans: Plans | undefined
    agenda.at(scene.ago(90), async () => {
      plans = await makePlans(ctx)
      for (const life of LIVES)
        for (let n = 0; n < scene.many(life.count); n++) live(scene, plans, life, [n, people])
    })
    agenda.at(scene.ago(20), () => plans && updatePlan(ctx, plans.monthly, { price: 13 }))
    await agenda.run()
  },
}

/** Has a member, who joined before, begin a subscription, and pay its bills in the way of that life. */
function live(
  scene: Scene,
  plans: Plans,
  { plan, begins: [most, least], pays, goes }: Life,
  [number, people]: [number, (Person | undefined)[]],
): void {
  const { ctx, agenda, dice } = scene
  const back = most - ((most - least) * (number % 7)) / 7 - dice.upTo(10) / 24
  const begins = scene.ago(back)
  const found = people.findIndex((each) => each !== undefined && Date.parse(each.created_at) < begins)
  const person = people[found]
  if (person === undefined) return
  // A member has one subscription.
  people[found] = undefined
  let id = ''
  agenda.at(begins, async () => {
    const byMember = as(ctx, person.id)
    const made = await createSubscription(byMember, {
      ...{ memberId: person.id, planId: plans[plan], trial: undefined, accountId: undefined },
    })
    id = parseId(subscriptionId, made.id) ?? ''
    payEach(scene, () => id, pays)
  })
  const on: Living['on'] = (day, act) => agenda.at(begins + day * DAY_MS, () => act(as(ctx, person.id), id))
  goes?.({ scene, plans, person, begins, id: () => id, on })
}

/** Pays each bill when its time has come. @param pays days after a bill is due, of one bill after the other */
function payEach({ ctx, agenda, place }: Scene, id: () => string, pays: readonly Pays[]): void {
  const seen: string[] = []
  const look = async () => {
    const row = await lockSubscription(ctx, id())
    // Beginning with the next period there may be another one.
    let next = Math.max(Date.parse(row.period_end), agenda.moment + DAY_MS) + MINUTE_MS
    for (const bill of row.open_bills ?? []) {
      if (!seen.includes(bill.id)) seen.push(bill.id)
      const after = pays[Math.min(seen.indexOf(bill.id), pays.length - 1)] ?? 'never'
      if (after === 'never') continue
      const paidAt = bill.dueSince + after * DAY_MS
      if (paidAt > agenda.moment) {
        next = Math.min(next, paidAt)
        continue
      }
      const { member_id: memberId, total_minor: amountMinor, currency } = await getBill(ctx, { id: bill.id })
      await payByHand(ctx, place.catalogue.paymentHandlers, {
        ...{ memberId, purpose: 'bill', purposeId: bill.id, amountMinor, currency },
      })
    }
    if (row.status !== 'canceled') agenda.at(next, look)
  }
  agenda.at(agenda.moment + HOUR_MS, look)
}

const firstPaidBill = defineQuery('demo_paid_bill', (v: { subscription: string }) =>
  query
    .selectFrom('bills')
    .select('id')
    .where('subscription_id', '=', v.subscription)
    .where('status', '=', 'paid')
    .orderBy('number')
    .limit(1),
).first()

/** An operator gives back part of the first bill. */
const refunds =
  ({ place, ctx: operator }: Scene, to: 'payment' | 'credit', amount: number) =>
  async (_ctx: Context, subscription: string) => {
    const found = await firstPaidBill(operator, { subscription })
    if (found === undefined) return
    const bill = await getBill(operator, { id: found.id })
    const reason = to === 'credit' ? 'Two days without downloads' : 'Paid by mistake'
    await refundBill(operator, place.catalogue.paymentHandlers, bill, { to, amount, reason })
  }

const firstRefund = defineQuery('demo_bill_refund', (v: { subscription: string }) =>
  query
    .selectFrom('bill_refunds as r')
    .innerJoin('bills as b', 'b.id', 'r.bill_id')
    .select('r.id')
    .where('b.subscription_id', '=', v.subscription)
    .limit(1),
).first()

/** The bank sends the money of a refund back: the bill has it again. */
async function bounceRefund({ place, ctx }: Scene, subscription: string): Promise<void> {
  const found = await firstRefund(ctx, { subscription })
  if (found !== undefined)
    await recordRefund(ctx, place.catalogue.paymentHandlers, found.id, { reference: '', status: 'failed' })
}

/** Nobody has to pay the open bill. */
async function voids(ctx: Context, id: string): Promise<void> {
  const row = await lockSubscription(ctx, id)
  const [bill] = row.open_bills ?? []
  if (bill === undefined) return
  await giveUpBill(ctx, bill.id, 'void')
  await applyEvent(ctx, row, { type: 'bill_voided', bill: bill.id })
}
