import { expect, test } from 'vitest'
import { toId } from '#platform/ids.ts'
import { type Dice, rollDice } from '#platform/values/dice.ts'
import {
  advance,
  type PaymentEnvironment,
  payWith,
  type ShownPayment,
  sendNotice,
  withPayments,
} from '#testkit/areas/money/payments.ts'
import { type Customer, makeCustomer, makeDiscount, makeProduct } from '#testkit/areas/money/shop.ts'
import { anySeed } from '#testkit/dice.ts'
import { orderId } from './ids.ts'
import type { Order } from './orders/schema.ts'

interface Made<T> {
  data: T
}
type Bought = Order & { payment: ShownPayment | null }

const SEED = anySeed()
const CUSTOMERS = 8
const ROUNDS = 12

let env: PaymentEnvironment

withPayments((opened) => {
  env = opened
})

const sql = async <T extends object>(text: string): Promise<T[]> =>
  (await env.api.owner.query<T>(text, [env.side.projectId])).rows

/** What is wrong with the stock: numbers below zero, or others than the ledger and the orders say. */
const stockFaults = () =>
  sql(`
    select v.id, v.stock, v.reserved, v.sold, l.*, o.* from product_variants v
    cross join lateral (select coalesce(sum(quantity) filter (where kind = 'reserve'), 0)
        - coalesce(sum(quantity) filter (where kind in ('release', 'sell')), 0) as reserved_moves,
      coalesce(sum(quantity) filter (where kind = 'sell'), 0)
        - coalesce(sum(quantity) filter (where kind = 'restock'), 0) as sold_moves
      from stock_moves m where m.project_id = v.project_id and m.variant_id = v.id) l
    cross join lateral (select coalesce(sum(ol.quantity) filter (where o.status = 'pending_payment'), 0) as waiting,
      coalesce(sum(ol.quantity - ol.restocked_quantity)
        filter (where o.status in ('paid', 'fulfilled', 'completed', 'refunded')), 0) as bought
      from order_lines ol join orders o on o.project_id = ol.project_id and o.id = ol.order_id
      where ol.project_id = v.project_id and ol.variant_id = v.id) o
    where v.project_id = $1 and v.stock is not null and (v.reserved < 0 or v.sold < 0 or v.stock - v.reserved - v.sold < 0
      or v.reserved <> l.reserved_moves or v.sold <> l.sold_moves or v.reserved <> o.waiting or v.sold <> o.bought)`)

/** Orders that more than one payment has paid, that are paid without one, or whose refunds are more than was paid. */
const moneyFaults = () =>
  sql(`
    select o.id, o.status, o.total_minor, o.paid_minor, o.refunded_minor, p.* from orders o
    cross join lateral (select coalesce(sum(p.amount_minor - p.refunded_minor), 0) as kept,
      count(*) filter (where p.refunded_minor < p.amount_minor) as paying
      from payments p where p.project_id = o.project_id and p.purpose = 'order' and p.purpose_id = o.id
        and p.status = 'succeeded') p
    where o.project_id = $1 and (o.refunded_minor > o.paid_minor or p.paying > 1
      or p.kept <> o.paid_minor - o.refunded_minor
      or (o.status in ('paid', 'fulfilled', 'completed') and o.paid_minor <> o.total_minor))`)

/** Lines whose grant is not there though it was paid, or is there though it was not, or was paid back. */
const grantFaults = () =>
  sql(`
    select o.status, l.id, l.granted_at, l.taken_back_at, g.grants from order_lines l
    join orders o on o.project_id = l.project_id and o.id = l.order_id
    cross join lateral (select count(*) as grants from grants g where g.project_id = l.project_id
      and g.source_type = 'order_line' and g.source_id = l.id) g
    where l.project_id = $1 and l.grant_features <> '{}'
      and g.grants <> case when o.status in ('paid', 'fulfilled', 'completed')
        and l.refunded_quantity < l.quantity then 1 else 0 end`)

/** Discounts that are used more often than they can be, in all or by one member, or whose uses are not those of orders. */
const discountFaults = () =>
  sql(`
    select d.code, d.used, d.max_uses, d.max_uses_per_member, o.* from discounts d
    cross join lateral (select coalesce(sum(uses), 0) as uses, coalesce(max(uses), 0) as most from (
      select count(*) as uses from orders o where o.project_id = d.project_id and o.discount_id = d.id
        and o.status <> 'canceled' group by o.member_id) each) o
    where d.project_id = $1 and (d.used <> o.uses or d.used > coalesce(d.max_uses, d.used)
      or o.most > coalesce(d.max_uses_per_member, o.most))`)

/** Members who hold stock by hand with more orders than they may have. */
const crowdFaults = () =>
  sql(`
    select member_id, count(*) from orders where project_id = $1 and status = 'pending_payment' and by_hand
    group by member_id having count(*) > 3`)

const noFaults = async () => {
  expect(await stockFaults()).toEqual([])
  expect(await discountFaults()).toEqual([])
  expect(await crowdFaults()).toEqual([])
}

/** What makes each state of an order. */
const VERBS: Readonly<Record<string, string>> = {
  ...{
    paid: 'mark-paid',
    fulfilled: 'fulfill',
    completed: 'complete',
    canceled: 'cancel',
    refunded: 'refund',
  },
}
const move = (order: string, to: string) => {
  const body = to === 'fulfilled' || to === 'canceled' || to === 'refunded' ? {} : undefined
  return env.side.admin.post<Made<Order>>(`/shop/orders/${order}/${VERBS[to]}`, body)
}

interface World {
  readonly products: readonly string[]
  readonly codes: readonly string[]
  /** The account of money that is taken by hand. */
  readonly byHand: string
}

/** Checks something out by hand. @returns the id of the order, where there is one */
async function buyByHand(
  client: Customer['client'],
  dice: Dice,
  { products, byHand }: World,
  code?: string,
): Promise<string | undefined> {
  await client.post('/shop/cart', { product_id: dice.one(products) })
  if (code !== undefined) await client.post('/shop/cart/discount', { code })
  const { status, body } = await client.post<Made<Order>>('/shop/checkout', { payment_account_id: byHand })
  if (status === 422) await client.delete('/shop/cart')
  return status === 201 ? body.data.id : undefined
}

/** Wants more orders by hand than a member may have. */
async function hoard(client: Customer['client'], dice: Dice, world: World): Promise<void> {
  for (let n = 0; n < 4; n++) await buyByHand(client, dice, world)
}

/** Cancels an order and uses its discount again, before the money of the first one comes. */
async function payLate(client: Customer['client'], dice: Dice, world: World, code: string): Promise<void> {
  const first = await buyByHand(client, dice, world, code)
  if (first === undefined) return
  await move(first, 'canceled')
  await buyByHand(client, dice, world, code)
  await Promise.all([move(first, 'paid'), ...(dice.chance(0.5) ? [move(first, 'paid')] : [])])
}

/** One thing that somebody does, or that happens to them. */
async function act(dice: Dice, { client }: Customer, world: World) {
  const { products, codes, byHand } = world
  const { stripe, side } = env
  const orders = (await client.get<{ orders: { id: string }[] }>('/shop/orders')).body.orders
  const some = orders.length === 0 ? undefined : dice.one(orders.slice(0, 3))
  const read = async () =>
    (await side.admin.get<Made<Bought>>(`/shop/orders/${some?.id}`)).body.data as Bought | undefined
  const verb = dice.one([
    'add',
    'add',
    'add',
    'checkout',
    'checkout',
    'pay',
    'pay',
    'pay',
    'cancel',
    'refund',
    'mark',
    'mark',
    'dashboard',
    'dispute',
    'work off',
    'hoard',
    'pay late',
    'pay late',
  ])
  switch (verb) {
    case 'add':
      await client.post('/shop/cart', { product_id: dice.one(products), quantity: 1 + dice.upTo(2) })
      if (dice.chance(0.3)) await client.post('/shop/cart/discount', { code: dice.one(codes) })
      return
    case 'checkout': {
      await client.get('/shop/cart')
      const body = dice.chance(0.4) ? { payment_account_id: byHand } : {}
      const [{ status }] = await Promise.all([
        client.post('/shop/checkout', body),
        ...(dice.chance(0.3) ? [client.post('/shop/checkout', body)] : []),
      ])
      expect([201, 422]).toContain(status)
      // What is out of stock would keep the cart from being bought for ever.
      if (status === 422) await client.delete('/shop/cart')
      return
    }
    case 'pay': {
      if (some === undefined) return
      const { body } = await client.post<Made<Bought>>(`/shop/orders/${some.id}/pay`)
      const payment = body.data?.payment
      if (payment?.client_secret === undefined) return
      const card = dice.one(['good', 'good', 'good', 'declined', 'asks_owner'] as const)
      // It was paid or ended a moment ago: the browser says so.
      try {
        payWith(stripe, payment, card)
        if (card === 'asks_owner' && dice.chance(0.7)) stripe.ledger.succeed(payment.provider_reference ?? '')
      } catch {}
      return
    }
    case 'cancel':
      if (some !== undefined) await side.admin.post(`/shop/orders/${some.id}/cancel`, {})
      return
    case 'mark':
      if (some !== undefined && dice.chance(0.5)) await move(some.id, 'paid')
      return
    case 'hoard':
      return hoard(client, dice, world)
    case 'pay late':
      return payLate(client, dice, world, dice.one(codes))
    case 'dispute': {
      const order = await read()
      if (order?.status === 'paid') await disputeWithBank(dice, order.payment?.provider_reference)
      return
    }
    case 'work off':
      if (some !== undefined) await move(some.id, dice.one(['fulfilled', 'completed']))
      return
    case 'dashboard': {
      const order = await read()
      if (order?.status === 'paid') await refundInDashboard(order.payment?.provider_reference)
      return
    }
    case 'refund': {
      const order = await read()
      if (order === undefined) return
      const restock = dice.chance(0.5)
      const body = dice.one([
        { restock },
        { amount: 1.5 },
        { lines: [{ id: order.lines[0]?.id, quantity: 1 }], restock },
      ])
      await Promise.all([1, 2].map(() => side.admin.post(`/shop/orders/${order.id}/refund`, body)))
    }
  }
}

/** Somebody refunds with Stripe itself, where that is possible, and Stripe tells of it until it is heard. */
async function refundInDashboard(intent: string | null | undefined): Promise<void> {
  const { ledger } = env.stripe
  const left = ledger.refundable(intent ?? '')
  if (left < 100) return
  for (const event of ledger.refundInDashboard(intent ?? '', 100))
    expect((await sendNotice(env.api, env.accounts.side, event))[0]).toBe(200)
}

/** A payer asks the bank for the money, which decides at once, later or never, and Stripe tells of it until it is heard. */
async function disputeWithBank(dice: Dice, intent: string | null | undefined): Promise<void> {
  const { ledger } = env.stripe
  if (ledger.refundable(intent ?? '') === 0) return
  const events = [ledger.dispute(intent ?? '', ledger.intent(intent ?? '').amount)]
  const id = [...ledger.disputes.keys()].at(-1) ?? ''
  if (dice.chance(0.8)) events.push(ledger.closeDispute(id, dice.one(['lost', 'lost', 'won'])))
  for (const event of events) expect((await sendNotice(env.api, env.accounts.side, event))[0]).toBe(200)
}

/** Notices come late, twice, in any order or not at all. */
async function notify(dice: Dice): Promise<void> {
  const { events } = env.stripe.ledger
  if (events.length === 0) return
  const some = Array.from({ length: 4 }, () => dice.one(events.slice(-40)))
  await Promise.all(some.map((event) => sendNotice(env.api, env.accounts.side, event)))
}

test(`whatever customers, clocks and Stripe do at once, stock, money and grants add up (seed ${SEED})`, async () => {
  const { side, stripe } = env
  const dice = rollDice(SEED)
  const made = [
    await makeProduct(side, { price: 9.99, stock: 3, grants: { features: ['one'] } }),
    await makeProduct(side, { price: 0.5, stock: 6, grants: { features: ['two'] } }),
    await makeProduct(side, { price: 20, stock: 2 }),
    await makeProduct(side, { price: 5, grants: { features: ['three'] } }),
    await makeProduct(side, { price: 0, stock: 4, grants: { features: ['four'] }, reserve_hours: 1 }),
    await makeProduct(side, { price: 7, stock: 3, reserve_hours: 1 }),
  ]
  const products = made.map(({ id }) => id)
  const codes = [
    await makeDiscount(side, { percent: 33, max_uses: 3 }),
    await makeDiscount(side, { percent: 10 }),
    await makeDiscount(side, { percent: 50, max_uses_per_member: 1 }),
    await makeDiscount(side, { percent: 100, max_uses: 2 }),
  ].map(({ code }) => code)
  const account = { provider: 'manual', name: 'By transfer', is_default: false }
  const byHand = (await side.admin.post<Made<{ id: string }>>('/payment-accounts', account)).body.data.id
  const world = { products, codes, byHand }
  const customers = await Promise.all(Array.from({ length: CUSTOMERS }, () => makeCustomer(side)))
  // Whatever the dice say, there are orders: of something that is never out of stock, and of what costs nothing.
  for (const [n, { client }] of customers.entries()) {
    await client.post('/shop/cart', { product_id: products[n < 2 ? 4 : 3] })
    expect((await client.post('/shop/checkout', {})).status).toBe(201)
  }
  const plenty = { ...world, products: products.slice(3, 4) }
  await hoard((await makeCustomer(side)).client, dice, plenty)
  await payLate((await makeCustomer(side)).client, dice, plenty, codes[2] ?? '')
  await noFaults()
  stripe.fault = () => (dice.chance(0.08) ? dice.one(['lost request', 'lost answer'] as const) : undefined)
  for (let round = 0; round < ROUNDS; round++) {
    await Promise.all([
      ...customers.map((customer) => act(dice, customer, world)),
      ...(dice.chance(0.6) ? [notify(dice)] : []),
      ...(dice.chance(0.5) ? [advance(side, { minutes: dice.upTo(9) + 1 })] : []),
    ])
    await noFaults()
  }
  // Now nothing goes wrong any more, and nobody sends a notice: what is open is asked about.
  stripe.fault = () => undefined
  stripe.forgetKeys()
  await advance(side, { days: 9 })

  const states = await sql<{ status: string; orders: number }>(
    'select status, count(*)::int as orders from orders where project_id = $1 group by status order by status',
  )
  expect(states.reduce((sum, { orders }) => sum + orders, 0)).toBeGreaterThanOrEqual(CUSTOMERS)
  const sound = async () => {
    await noFaults()
    expect(await moneyFaults()).toEqual([])
    expect(await grantFaults()).toEqual([])
  }
  await sound()
  // What Stripe has is what we say.
  const ours = await sql<{ reference: string; taken: number; back: number }>(
    `select provider_reference as reference, amount_minor::int as taken, refunded_minor::int as back from payments
      where project_id = $1 and status = 'succeeded' and account_id is not null order by provider_reference`,
  )
  const theirs = [...stripe.ledger.intents.values()]
    .filter(({ status }) => status === 'succeeded')
    .map(({ id, amount }) => ({
      reference: id,
      taken: amount,
      back: Math.min(amount, backOf(id)),
    }))
  expect(ours).toEqual(theirs.sort((a, b) => (a.reference < b.reference ? -1 : 1)))

  // What an order says that it can become, it can; all else is refused.
  for (const { id } of await sql<{ id: string }>('select id from orders where project_id = $1 order by id')) {
    const path = toId(orderId, id)
    const { data } = (await side.admin.get<Made<Order>>(`/shop/orders/${path}`)).body
    const refused = Object.keys(VERBS).filter(
      (to) => !data.allowed_transitions.includes(to as Order['status']),
    )
    for (const to of refused)
      expect([data.status, to, (await move(path, to)).status]).toEqual([data.status, to, 422])
    if (data.allowed_transitions.length === 0) continue
    const isUndone = data.total === 0 && data.allowed_transitions.includes('canceled')
    const to = isUndone ? 'canceled' : dice.one(data.allowed_transitions)
    expect([data.status, to, (await move(path, to)).status]).toEqual([data.status, to, 200])
  }
  await advance(side, { days: 4 })
  await sound()
})

/** What Stripe has given back of a payment: refunds, and disputes that its payer won. */
const backOf = (intent: string): number => {
  const { refunds, disputes } = env.stripe.ledger
  const lost = [...disputes.values()].filter(({ status }) => status === 'lost')
  return [...refunds.values(), ...lost]
    .filter(({ payment_intent }) => payment_intent === intent)
    .reduce((sum, { amount }) => sum + amount, 0)
}
