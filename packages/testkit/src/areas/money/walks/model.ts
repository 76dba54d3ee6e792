import type { Bill } from '#areas/billing/bills/schema.ts'
import type { Subscription } from '#areas/billing/subscriptions/schema.ts'
import { cents, type Facts } from './facts.ts'

// A model of money that knows only money and time: what came in, what went back, what a period costs, and what has to be
// paid by when. It knows nothing of states, credit or tables: it reads what the API shows, and says what cannot be.

const DAY_MS = 86_400_000
/** By hand: days after which a bill is overdue, and then until it is given up. */
const OVERDUE_DAYS = 14
const END_DAYS = 21

/** What was really paid by a member, and really given back, in cents. */
export interface Moved {
  readonly paidIn: number
  readonly givenBack: number
  /** Credit that an operator gave, less what one took. */
  readonly operators: number
}

/** What the model knows before a walk. */
export interface Terms {
  readonly takes: 'hand' | 'card'
  /** The price of a period of each plan, in cents. */
  readonly prices: ReadonlyMap<string, number>
  /** The plan of members who have nothing. */
  readonly defaultPlan: string
}

type Line = Bill['lines'][number]

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, each) => total + each, 0)
const charges = (bill: Bill): Line[] => bill.lines.filter(({ kind }) => kind !== 'credit')
const sumOf = (lines: readonly Line[]): number => sum(lines.map(({ amount }) => cents(amount)))

/** Money: what came in and stayed is what paid bills and orders took and kept, and what is in hand. */
export function moneyFaults(
  { bills, orders, balance }: Facts,
  { paidIn, givenBack, operators }: Moved,
): string[] {
  const paid = bills.filter(({ status }) => status === 'paid')
  const refunded = sum(
    paid.flatMap(({ refunds }) =>
      refunds
        .filter(({ status }) => status !== 'failed')
        .flatMap(({ lines }) => lines.map((l) => cents(l.amount))),
    ),
  )
  // What open bills have used of the credit is the member's again, should they never be paid.
  const reserved = sum(
    bills
      .filter(({ status }) => status === 'open')
      .map((bill) => -sumOf(bill.lines.filter(({ kind }) => kind === 'credit'))),
  )
  const used = sum(paid.map((bill) => sumOf(charges(bill)))) - refunded
  const bought = sum(orders.map((order) => cents(order.paid_amount) - cents(order.refunded_amount)))
  const left = balance + reserved
  const faults: string[] = []
  if (paidIn - givenBack + operators !== used + bought + left)
    faults.push(
      `${paidIn} paid − ${givenBack} given back + ${operators} by operators is not ${used} of bills + ${bought} of orders + ${left} in hand`,
    )
  if (left > paidIn - givenBack + operators)
    faults.push(`${left} in hand is more than was ever paid: ${paidIn - givenBack + operators}`)
  for (const bill of bills)
    if (sumOf(bill.lines) !== cents(bill.total))
      faults.push(`${name(bill)}: the total is not the sum of the lines`)
  return faults
}

const name = ({ number, status }: Bill) => `bill ${number} (${status})`

/** A line that pays for time, or gives it up, as a part of a period: the time that was left when it began. */
interface Part {
  readonly bill: Bill
  readonly plan: string
  readonly leftMs: number
  readonly sign: 1 | -1
}
/** A period of a subscription, and what was billed of it. */
interface Period {
  readonly wholeMs: number
  readonly parts: Part[]
  /** An operator voided a bill of it: its time is a present. */
  isGift: boolean
  /** Money of it went back. */
  isRefunded: boolean
}

/** The bills of a subscription by periods. A pause moves a period, and makes it no longer. */
function periodsOf(bills: readonly Bill[]): Period[] {
  const periods: Period[] = []
  for (const bill of bills)
    for (const { kind, plan_id, period_start, period_end, amount } of charges(bill)) {
      const leftMs = Date.parse(period_end ?? '') - Date.parse(period_start ?? '')
      if (kind === 'period') periods.push({ wholeMs: leftMs, parts: [], isGift: false, isRefunded: false })
      const period = periods.at(-1)
      // Moments that cost nothing are nobody's.
      if (period === undefined || amount === 0) continue
      period.parts.push({ bill, plan: plan_id ?? '', leftMs, sign: amount < 0 ? -1 : 1 })
      period.isGift ||= bill.status === 'void'
      period.isRefunded ||= bill.refunds.length > 0
    }
  return periods
}

/** How often the time of a plan is paid for that lies so long before the end of a period. */
const netOf = (parts: readonly Part[], plan: string, leftMs: number): number =>
  sum(parts.filter((part) => part.plan === plan && part.leftMs >= leftMs).map(({ sign }) => sign))

/** Time: every second is billed once at its price, and what is given up was paid for. */
export function timeFaults({ bills, subscriptions }: Facts, { prices }: Terms): string[] {
  const faults: string[] = []
  for (const { id, status } of subscriptions) {
    const own = bills.filter(({ subscription_id }) => subscription_id === id)
    const periods = periodsOf(own)
    for (const { parts, isRefunded } of periods) {
      const paid = parts.filter(({ bill }) => bill.status === 'paid')
      for (const { plan, leftMs, bill } of parts) {
        const net = netOf(paid, plan, leftMs)
        if (net < 0) faults.push(`${name(bill)} gives time up that was not paid for`)
        if (net > 1 && !isRefunded) faults.push(`${name(bill)} has time paid twice`)
      }
    }
    for (const bill of own)
      faults.push(...priceFaults(bill, periods, { prices, isReduced: status === 'canceled' }))
  }
  return faults
}

/** Rounded half up, of integers that are not below zero. */
const share = (price: number, part: number, whole: number): number =>
  Number((2n * BigInt(price) * BigInt(part) + BigInt(whole)) / (2n * BigInt(whole)))

/** @param isReduced an end of the subscription may have reduced the bill to what was used */
function priceFaults(
  bill: Bill,
  periods: readonly Period[],
  { prices, isReduced }: { prices: Terms['prices']; isReduced: boolean },
): string[] {
  const period = periods.find(({ parts }) => parts.some((part) => part.bill === bill))
  if (period === undefined) return []
  const whole = Math.round(period.wholeMs / 1_000)
  return charges(bill).flatMap(({ kind, plan_id, period_start, period_end, amount }): string[] => {
    const price = prices.get(plan_id ?? '') ?? 0
    const seconds = Math.round((Date.parse(period_end ?? '') - Date.parse(period_start ?? '')) / 1_000)
    const right = kind === 'period' ? price : share(price, Math.min(seconds, whole), whole)
    const is = cents(amount)
    // What is given up may be worth less: nothing was paid for it, or that went back.
    const isRight = is < 0 ? -is <= right + 1 : is === right || (isReduced && is <= price)
    return isRight
      ? []
      : [`${name(bill)}: ${is} for ${seconds} s of ${whole} s at ${price}, which is ${right}`]
  })
}

/** What must be open, and what must be over by now. */
export function dueFaults(facts: Facts, terms: Terms): string[] {
  const { subscriptions, bills } = facts
  const live = subscriptions.filter(({ status }) => status !== 'canceled')
  const faults = live.length > 1 ? ['two subscriptions run at once'] : []
  for (const subscription of subscriptions) {
    const own = bills.filter(({ subscription_id }) => subscription_id === subscription.id)
    const open = own.filter(({ status }) => status === 'open')
    faults.push(...openFaults(subscription, open, facts.now, terms))
    if (subscription.status === 'active' || subscription.status === 'past_due')
      faults.push(...coverFaults(subscription, own, facts.now, terms))
  }
  return [...faults, ...planFaults(facts, live[0], terms)]
}

function openFaults(
  { status, canceled_at }: Subscription,
  open: readonly Bill[],
  now: number,
  { takes }: Terms,
): string[] {
  const faults: string[] = []
  if (status === 'canceled') {
    if (takes === 'card') return open.length === 0 ? [] : ['a bill outlives its subscription']
    // What was used is to be paid within the usual time from the end on.
    const isOver = Date.parse(canceled_at ?? '') + END_DAYS * DAY_MS <= now
    return isOver ? open.map((bill) => `${name(bill)} is not given up`) : []
  }
  if (status === 'paused') return []
  if (takes === 'card' && open.length > 1) faults.push('two bills are open')
  if (status === 'incomplete') {
    // Its first bill is due at once.
    const isLate = late(open, now, takes === 'hand' ? OVERDUE_DAYS : 1).length > 0
    return isLate ? [...faults, 'it waits for its first money for too long'] : faults
  }
  if (takes === 'card') return faults
  const isOverdue = late(open, now, OVERDUE_DAYS).length > 0
  if (isOverdue !== (status === 'past_due'))
    faults.push(`it is ${status}, and its bills are ${isOverdue ? '' : 'not '}overdue`)
  return [...faults, ...late(open, now, END_DAYS)]
}

const late = (open: readonly Bill[], now: number, days: number): string[] =>
  open
    .filter(({ due_at }) => Date.parse(due_at) + days * DAY_MS <= now)
    .map((bill) => `${name(bill)} is open ${days} days after it was due`)

/** The present moment of a subscription that gives access is paid for, or somebody is still asked to pay for it. */
function coverFaults(
  { plan_id, period_start, period_end }: Subscription,
  own: readonly Bill[],
  now: number,
  { takes, prices }: Terms,
): string[] {
  const [start, end] = [Date.parse(period_start), Date.parse(period_end)]
  if (now < start || now >= end)
    return [`its period is ${period_start} to ${period_end}, and now it is ${new Date(now).toISOString()}`]
  const period = periodsOf(own).at(-1)
  if (period === undefined) return ['it runs, and nothing was ever billed']
  const price = prices.get(plan_id) ?? 0
  if (
    period.isGift ||
    share(price, Math.round((end - now) / 1_000), Math.round(period.wholeMs / 1_000)) === 0
  )
    return []
  // With a provider a change that is not paid has not happened.
  const counts = ({ bill }: Part) =>
    bill.status === 'paid' || (bill.status === 'open' && (takes === 'hand' || bill.reason === 'renewal'))
  const net = netOf(period.parts.filter(counts), plan_id, end - now)
  return net >= 1 ? [] : [`the present time of its plan is billed ${net} times`]
}

function planFaults({ planId }: Facts, live: Subscription | undefined, { defaultPlan }: Terms): string[] {
  const has = live !== undefined && ['trialing', 'active', 'past_due'].includes(live.status)
  const wanted = has ? live.plan_id : defaultPlan
  return planId === wanted ? [] : [`the member is on ${planId}, and has a right to ${wanted}`]
}
