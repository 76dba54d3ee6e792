import type { Bill } from '#areas/billing/bills/schema.ts'
import type { Subscription } from '#areas/billing/subscriptions/schema.ts'
import type { Order } from '#areas/shop/orders/schema.ts'
import type { Side } from '../../../factories.ts'

/** What the API says of a member, all of it. */
export interface Facts {
  /** By the project's clock, in milliseconds. */
  readonly now: number
  /** The plan that the member is on. */
  readonly planId: string
  /** The earliest first, as all lists here. */
  readonly subscriptions: readonly Subscription[]
  readonly bills: readonly Bill[]
  readonly orders: readonly Order[]
  /** What the member has in hand, in cents; below zero what is owed. */
  readonly balance: number
}

/** An amount as the API writes it, in cents. */
export const cents = (amount: number): number => Math.round(amount * 100)

/** The time of the project's clock, in milliseconds. */
export const timeOf = async (side: Side): Promise<number> =>
  Date.parse((await side.admin.get<{ data: { now: string } }>('/test-clock')).body.data.now)

/** Asks for all that there is about a member. @param orders their ids */
export async function readFacts(side: Side, member: string, orders: Iterable<string>): Promise<Facts> {
  const get = async <T>(path: string) => {
    const { status, body } = await side.admin.get<T>(path)
    if (status !== 200) throw new Error(`GET ${path}: ${status} ${JSON.stringify(body)}`)
    return body
  }
  const [now, person, subscriptions, bills, credit, ...bought] = await Promise.all([
    timeOf(side),
    get<{ data: { plan_id: string } }>(`/members/${member}`),
    get<{ data: Subscription[] }>(`/subscriptions?member_id=${member}&limit=100`),
    get<{ data: Bill[] }>(`/bills?member_id=${member}&limit=100`),
    get<{ balances: { amount: number }[] }>(`/members/${member}/credit?limit=1`),
    ...[...orders].map((id) => get<{ data: Order }>(`/shop/orders/${id}`)),
  ])
  return {
    now,
    planId: person.data.plan_id,
    subscriptions: subscriptions.data.toReversed(),
    bills: bills.data.toReversed(),
    orders: bought.map(({ data }) => data),
    balance: cents(credit.balances[0]?.amount ?? 0),
  }
}
