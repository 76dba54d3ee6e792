import type { Dice } from '#platform/values/dice.ts'
import type { Side } from '../../../factories.ts'
import type { StripeEvent } from '../../../stripe/objects.ts'
import { type PaymentEnvironment, type ShownPayment, sendNotice } from '../payments.ts'
import { type Customer, makeCustomer, makeDiscount, makeProduct } from '../shop.ts'
import { cents, type Facts } from './facts.ts'
import type { Moved, Terms } from './model.ts'

/** A member of a walk, and what it has paid by hand. */
export interface Walker {
  readonly id: string
  readonly customer: Customer
  readonly email: string
  /** The orders that it made. */
  readonly orders: Set<string>
  /** What its browser was given to pay with, and may still pay. */
  readonly begun: ShownPayment[]
  isDeleted: boolean
  paidIn: number
  givenBack: number
  operators: number
  facts: Facts
}

/** A project in which members walk at random. */
export interface World {
  readonly env: PaymentEnvironment
  readonly side: Side
  /** Of Stripe; undefined: money is taken by hand. */
  readonly account: string | undefined
  readonly dice: Dice
  readonly terms: Terms
  /** The ids of plans that can be subscribed to. */
  readonly plans: readonly string[]
  readonly products: readonly string[]
  readonly codes: readonly string[]
  readonly walkers: Walker[]
  /** What was done, with what was answered. */
  readonly log: string[]
}

const NOTHING: Facts = { now: 0, planId: '', subscriptions: [], bills: [], orders: [], balance: 0 }

/** Makes plans, products, discounts and members. @param account of Stripe; undefined: money is taken by hand */
export async function makeWorld(
  env: PaymentEnvironment,
  side: Side,
  { account, dice, members }: { account: string | undefined; dice: Dice; members: number },
): Promise<World> {
  const plans = [
    await side.makePlan({ name: 'Small', rank: 10, price: 10, currency: 'eur' }),
    await side.makePlan({ name: 'Middle', rank: 20, price: 33.33, currency: 'eur', trial_days: 10 }),
    await side.makePlan({ name: 'Large', rank: 30, price: 100, currency: 'eur' }),
    await side.makePlan({ name: 'Equal', rank: 30, price: 50, currency: 'eur' }),
    await side.makePlan({ name: 'Yearly', rank: 40, price: 365, currency: 'eur', interval: 'year' }),
  ]
  const { body } = await side.admin.get<{ data: { id: string; is_default: boolean }[] }>('/plans')
  const products = [
    await makeProduct(side, { price: 9.99, stock: 4, grants: { features: ['one'], days: 30 } }),
    await makeProduct(side, { price: 5 }),
    await makeProduct(side, { price: 0 }),
  ]
  const codes = [
    await makeDiscount(side, { percent: 33, max_uses_per_member: 1 }),
    await makeDiscount(side, { amount: 2, currency: 'eur', max_uses: 3 }),
  ]
  const walkers = await Promise.all(Array.from({ length: members }, () => makeWalker(side)))
  return {
    ...{ env, side, account, dice, walkers, log: [] },
    plans: plans.map(({ id }) => id),
    products: products.map(({ id }) => id),
    codes: codes.map(({ code }) => code),
    terms: {
      takes: account === undefined ? 'hand' : 'card',
      prices: new Map(plans.map(({ id, price }) => [id, cents(price)])),
      defaultPlan: body.data.find(({ is_default }) => is_default)?.id ?? '',
    },
  }
}

/** A member who has done nothing yet. */
export async function makeWalker(side: Side): Promise<Walker> {
  const { id, email } = await side.makeMember()
  const customer = await makeCustomer(side, id)
  return {
    ...{ id, email, customer, orders: new Set<string>(), begun: [], isDeleted: false },
    ...{ paidIn: 0, givenBack: 0, operators: 0, facts: NOTHING },
  }
}

interface Answer<T> {
  readonly status: number
  readonly data: T
}

/** One request, whose answer is written down. @throws Error for a server error */
export async function post<T>(world: World, path: string, body?: object): Promise<Answer<T>> {
  const { status, body: answer } = await world.side.admin.post<{ data: T; code?: string }>(path, body)
  note(world, `POST ${path} ${body === undefined ? '' : JSON.stringify(body)}`, status, answer.code)
  return { status, data: answer.data }
}

/** Writes down what was asked and what was answered. @throws Error for a server error */
export function note({ log }: World, what: string, status: number, code = ''): void {
  log.push(`${what} → ${status} ${code}`)
  if (status >= 500) throw new Error(`a server error: ${log.at(-1)}`)
}

/** The events of Stripe about the members of a world. */
export const eventsOf = ({ env, walkers }: World): StripeEvent[] => {
  const { ledger } = env.stripe
  const own = new Set(walkers.map(({ email }) => email))
  const isOwn = (intent: unknown) => {
    const customer = ledger.intents.get(String(intent))?.customer ?? ''
    return own.has(ledger.customers.get(customer)?.email ?? '')
  }
  return ledger.events.filter(({ data: { object } }) => isOwn(object['payment_intent'] ?? object['id']))
}

/** Stripe tells the API of something. */
export async function sendEvent(world: World, event: StripeEvent): Promise<void> {
  if (world.account === undefined) return
  const [status] = await sendNotice(world.env.api, world.account, event)
  note(world, `Stripe tells of ${event.type}`, status)
}

/** What a member has really paid and got back. With Stripe, Stripe knows. */
export function movedBy(world: World, walker: Walker): Moved {
  const { operators } = walker
  if (world.account === undefined) return { paidIn: walker.paidIn, givenBack: walker.givenBack, operators }
  const { ledger } = world.env.stripe
  const intents = intentsOf(world, walker)
  const ids = new Set(intents.map(({ id }) => id))
  const sum = (amounts: number[]) => amounts.reduce((total, each) => total + each, 0)
  const refunds = [...ledger.refunds.values()].filter(
    ({ payment_intent, status }) => ids.has(payment_intent) && status !== 'failed',
  )
  const lost = [...ledger.disputes.values()].filter(
    ({ payment_intent, status }) => ids.has(payment_intent) && status === 'lost',
  )
  return {
    paidIn: walker.paidIn + sum(intents.map(({ amount }) => amount)),
    givenBack: walker.givenBack + sum([...refunds, ...lost].map(({ amount }) => amount)),
    operators,
  }
}

/** The payments of a member that Stripe has money of. */
export function intentsOf({ env }: World, { email }: Walker) {
  const { customers, intents } = env.stripe.ledger
  return [...intents.values()].filter(
    ({ customer, status }) => status === 'succeeded' && customers.get(customer ?? '')?.email === email,
  )
}
