import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  advance,
  type PaymentEnvironment,
  payWith,
  type ShownPayment,
  sendNotice,
  startPayments,
} from '#testkit/areas/money/payments.ts'
import { type Customer, makeCustomer, makeDiscount, makeProduct } from '#testkit/areas/money/shop.ts'
import { anySeed, type Dice, rollDice } from '#testkit/dice.ts'
import type { Order } from './orders/schema.ts'

interface Made<T> {
  data: T
}
type Bought = Order & { payment: ShownPayment | null }

const SEED = anySeed()
const CUSTOMERS = 8
const ROUNDS = 12

let env: PaymentEnvironment

beforeAll(async () => {
  env = await startPayments()
})
afterAll(() => env.close())

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

/** One thing that somebody does, or that happens to them. */
async function act(dice: Dice, { client }: Customer, products: readonly string[], codes: readonly string[]) {
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
    'dashboard',
  ])
  switch (verb) {
    case 'add':
      await client.post('/shop/cart', { product_id: dice.one(products), quantity: 1 + dice.upTo(2) })
      if (dice.chance(0.3)) await client.post('/shop/cart/discount', { code: dice.one(codes) })
      return
    case 'checkout': {
      await client.get('/shop/cart')
      const [{ status }] = await Promise.all([
        client.post('/shop/checkout', {}),
        ...(dice.chance(0.3) ? [client.post('/shop/checkout', {})] : []),
      ])
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
      if (some !== undefined && dice.chance(0.3)) await side.admin.post(`/shop/orders/${some.id}/mark-paid`)
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
  ]
  const products = made.map(({ id }) => id)
  const codes = [
    await makeDiscount(side, { percent: 33, max_uses: 3 }),
    await makeDiscount(side, { percent: 10 }),
  ]
  const customers = await Promise.all(Array.from({ length: CUSTOMERS }, () => makeCustomer(side)))
  // Whatever the dice say, there are orders: of something that is never out of stock.
  for (const { client } of customers) {
    await client.post('/shop/cart', { product_id: products[3] })
    expect((await client.post('/shop/checkout', {})).status).toBe(201)
  }
  stripe.fault = () => (dice.chance(0.08) ? dice.one(['lost request', 'lost answer'] as const) : undefined)
  for (let round = 0; round < ROUNDS; round++) {
    await Promise.all([
      ...customers.map((customer) =>
        act(
          dice,
          customer,
          products,
          codes.map(({ code }) => code),
        ),
      ),
      ...(dice.chance(0.6) ? [notify(dice)] : []),
      ...(dice.chance(0.5) ? [advance(side, { minutes: dice.upTo(9) + 1 })] : []),
    ])
    expect(await stockFaults()).toEqual([])
  }
  // Now nothing goes wrong any more, and nobody sends a notice: what is open is asked about.
  stripe.fault = () => undefined
  stripe.forgetKeys()
  await advance(side, { days: 4 })

  const states = await sql<{ status: string; orders: number }>(
    'select status, count(*)::int as orders from orders where project_id = $1 group by status order by status',
  )
  expect(states.reduce((sum, { orders }) => sum + orders, 0)).toBeGreaterThanOrEqual(CUSTOMERS)
  expect(await stockFaults()).toEqual([])
  expect(await moneyFaults()).toEqual([])
  expect(await grantFaults()).toEqual([])
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
      back: [...stripe.ledger.refunds.values()]
        .filter(({ payment_intent }) => payment_intent === id)
        .reduce((sum, refund) => sum + refund.amount, 0),
    }))
  expect(ours).toEqual(theirs.sort((a, b) => (a.reference < b.reference ? -1 : 1)))
})
