import type { Order } from '#areas/shop/orders/schema.ts'
import type { ShownPayment } from '../payments.ts'
import { confirm, type Move, partOf } from './bill-moves.ts'
import { cents } from './facts.ts'
import { eventsOf, intentsOf, note, post, sendEvent, type World } from './world.ts'

type Bought = Order & { payment: ShownPayment | null }
const some = <T>({ dice }: World, of: readonly T[]): T | undefined =>
  of.length === 0 ? undefined : dice.one(of)

const buy: Move = async (world, walker) => {
  const { dice } = world
  const { client } = walker.customer
  const item = { product_id: dice.one(world.products), quantity: 1 + dice.upTo(2) }
  note(world, `cart ${JSON.stringify(item)}`, (await client.post('/shop/cart', item)).status)
  if (dice.chance(0.6)) {
    const { status } = await client.post('/shop/cart/discount', { code: dice.one(world.codes) })
    note(world, 'discount', status)
  }
  await client.get('/shop/cart')
  const { status, body } = await client.post<{ data: Bought; code?: string }>('/shop/checkout', {})
  note(world, 'POST /shop/checkout', status, body.code)
  if (status !== 201) {
    // What cannot be bought would keep the cart from being checked out for ever.
    await client.delete('/shop/cart')
    return
  }
  walker.orders.add(body.data.id)
  if (body.data.payment?.client_secret !== undefined) confirm(world, walker, body.data.payment)
}

const payOrder: Move = async (world, walker) => {
  const order = some(
    world,
    walker.facts.orders.filter(({ status }) => status === 'pending_payment'),
  )
  if (order === undefined) return
  const { status, data } = await post<Bought>(world, `/shop/orders/${order.id}/pay`)
  if (status === 200 && data.payment?.client_secret !== undefined) confirm(world, walker, data.payment)
}

/** Money is handed over for an order, also for one that was canceled. */
const markOrderPaid: Move = async (world, walker) => {
  const waiting = walker.facts.orders.filter(
    ({ status }) => status === 'pending_payment' || status === 'canceled',
  )
  const order = some(world, waiting)
  if (order === undefined) return
  const { status, data } = await post<Order>(world, `/shop/orders/${order.id}/mark-paid`)
  if (status !== 200) return
  walker.paidIn += cents(data.total)
  // What could not be delivered any more went back at once.
  if (data.status === 'canceled') walker.givenBack += cents(data.total)
}

const cancelOrder: Move = async (world, walker) => {
  const order = some(world, walker.facts.orders)
  if (order !== undefined) return post(world, `/shop/orders/${order.id}/cancel`, {})
}

const refundOrder: Move = async (world, walker) => {
  const order = some(
    world,
    walker.facts.orders.filter(({ paid_amount, refunded_amount }) => paid_amount > refunded_amount),
  )
  if (order === undefined) return
  const amount = partOf(world, cents(order.paid_amount) - cents(order.refunded_amount))
  const restock = world.dice.chance(0.5)
  const { status } = await post(world, `/shop/orders/${order.id}/refund`, { amount, restock })
  const byHand = order.payment?.provider_reference == null
  if (status === 200 && byHand) walker.givenBack += cents(amount)
}

/** A payer asks the bank for the money, and the bank decides. */
const dispute: Move = async (world, walker) => {
  const { ledger } = world.env.stripe
  const disputed = new Map([...ledger.disputes.values()].map((each) => [each.payment_intent, each]))
  const intent = some(world, intentsOf(world, walker))
  if (intent === undefined) return
  const known = disputed.get(intent.id)
  const left = ledger.refundable(intent.id)
  if (known === undefined && left > 0) return sendEvent(world, ledger.dispute(intent.id, left))
  if (known?.status === 'needs_response')
    return sendEvent(world, ledger.closeDispute(known.id, world.dice.one(['won', 'lost'] as const)))
}

/** An operator refunds with Stripe itself. */
const refundThere: Move = async (world, walker) => {
  const { ledger } = world.env.stripe
  const intent = some(world, intentsOf(world, walker))
  const left = intent === undefined ? 0 : ledger.refundable(intent.id)
  const isDisputed = [...ledger.disputes.values()].some(({ payment_intent }) => payment_intent === intent?.id)
  if (intent === undefined || left === 0 || isDisputed) return
  for (const event of ledger.refundInDashboard(intent.id, 1 + world.dice.upTo(left)))
    if (world.dice.chance(0.8)) await sendEvent(world, event)
}

/** Notices come late, twice, in any order or not at all. */
const notify: Move = async (world) => {
  const events = eventsOf(world)
  if (events.length === 0) return
  await Promise.all(Array.from({ length: 3 }, () => sendEvent(world, world.dice.one(events.slice(-30)))))
}

export const ORDER_MOVES = {
  any: { buy, cancelOrder, refundOrder },
  hand: { markOrderPaid },
  card: { payOrder, dispute, refundThere, notify, markOrderPaid },
}
