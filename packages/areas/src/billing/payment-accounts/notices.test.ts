import { describe, expect, test } from 'vitest'
import type { Order } from '#areas/shop/orders/schema.ts'
import {
  advance,
  makeStripeAccount,
  type PaymentEnvironment,
  payWith,
  type ShownPayment,
  sendNotice,
  withPayments,
} from '#testkit/areas/money/payments.ts'
import { makeCustomer, makeProduct } from '#testkit/areas/money/shop.ts'
import type { StripeEvent } from '#testkit/stripe/objects.ts'

interface Made<T> {
  data: T
}
type Paid = Order & { payment: ShownPayment }

let env: PaymentEnvironment

withPayments((opened) => {
  env = opened
})

/** An order of one piece for 10 EUR whose payment was begun. */
const order = async ({ side = env.side, stock = 5 } = {}) => {
  const { client } = await makeCustomer(side)
  const { id, variantId } = await makeProduct(side, { stock })
  await client.post('/shop/cart', { product_id: id })
  const { body, status } = await client.post<Made<Paid>>('/shop/checkout', {})
  expect(status).toBe(201)
  return { ...body.data, client, variantId: variantId ?? '' }
}
const read = async ({ id }: { id: string }, side = env.side) =>
  (await side.admin.get<Made<Paid>>(`/shop/orders/${id}`)).body.data
const noticeOf = (reference: string | null, type: string) =>
  env.stripe.ledger.events.findLast(
    (event) =>
      event.type === `payment_intent.${type}` &&
      (event.data.object['id'] === reference || event.data.object['payment_intent'] === reference),
  ) as StripeEvent
const send = (event: StripeEvent | Record<string, unknown>, options = {}) =>
  sendNotice(env.api, env.accounts.side, event, options)
const eventsOf = async (id: string) => {
  const { rows } = await env.api.owner.query<{ type: string }>(
    "select type from events where type like 'order.%' and payload->>'id' = $1 order by id",
    [id],
  )
  return rows.map(({ type }) => type)
}

describe('a notice', () => {
  test('pays the order at once, and counts once however often it comes', async () => {
    const bought = await order()
    payWith(env.stripe, bought.payment, 'good')
    const event = noticeOf(bought.payment.provider_reference, 'succeeded')
    expect(await send(event)).toEqual([200, true])
    expect(await read(bought)).toMatchObject({ status: 'paid', payment: { status: 'succeeded', amount: 10 } })
    expect(await send(event)).toEqual([200, false])
    expect((await eventsOf(bought.id)).filter((name) => name === 'order.paid')).toHaveLength(1)
  })

  test('that comes before earlier ones, or in the same second, sets nothing back', async () => {
    const bought = await order()
    payWith(env.stripe, bought.payment, 'declined')
    payWith(env.stripe, bought.payment, 'good')
    const { provider_reference: reference } = bought.payment
    const all = ['succeeded', 'payment_failed', 'created'].map((type) => noticeOf(reference, type))
    expect(new Set(all.map(({ created }) => created)).size).toBeLessThanOrEqual(2)
    for (const event of all) expect(await send(event)).toEqual([200, true])
    expect(await read(bought)).toMatchObject({ status: 'paid', payment: { status: 'succeeded' } })
    const next = await order()
    payWith(env.stripe, next.payment, 'good')
    const both = ['created', 'succeeded'].map((type) => noticeOf(next.payment.provider_reference, type))
    expect(await Promise.all(both.map((event) => send(event)))).toEqual([
      [200, true],
      [200, true],
    ])
    expect(await read(next)).toMatchObject({ status: 'paid', payment: { status: 'succeeded' } })
  })

  test('of one payment twice at once pays once', async () => {
    const bought = await order()
    payWith(env.stripe, bought.payment, 'good')
    const event = noticeOf(bought.payment.provider_reference, 'succeeded')
    const copies = [1, 2, 3, 4].map((n) => ({ ...event, id: `${event.id}_${n}` }))
    const answers = await Promise.all(copies.map((copy) => send(copy)))
    expect(answers).toEqual(copies.map(() => [200, true]))
    expect((await eventsOf(bought.id)).filter((name) => name === 'order.paid')).toHaveLength(1)
    expect(await read(bought)).toMatchObject({ status: 'paid', refunds: [], payment: { amount_refunded: 0 } })
  })

  test('for another account or another project changes nothing', async () => {
    const bought = await order()
    payWith(env.stripe, bought.payment, 'good')
    const event = noticeOf(bought.payment.provider_reference, 'succeeded')
    const second = await makeStripeAccount(env.side, 'whsec_of_another_account')
    const options = { secret: 'whsec_of_another_account' }
    expect(await sendNotice(env.api, second, event, options)).toEqual([200, false])
    expect(await sendNotice(env.api, env.accounts.other, event)).toEqual([200, false])
    expect((await read(bought)).status).toBe('pending_payment')
    expect((await sendNotice(env.api, bought.id, event))[0]).toBe(404)
    const nobodys = {
      ...event,
      id: 'evt_x',
      data: { object: { ...event.data.object, id: 'pi_x', metadata: {} } },
    }
    expect(await send(nobodys)).toEqual([200, false])
    expect(
      await send({ ...event, id: 'evt_y', data: { object: { object: 'invoice', id: 'in_1' } } }),
    ).toEqual([200, false])
    expect(await send(event)).toEqual([200, true])
    expect((await read(bought)).status).toBe('paid')
  })

  test('with a wrong signature or an old time is refused', async () => {
    const bought = await order()
    payWith(env.stripe, bought.payment, 'good')
    const event = noticeOf(bought.payment.provider_reference, 'succeeded')
    const now = Math.floor(Date.now() / 1_000)
    expect(await send(event, { secret: 'whsec_wrong' })).toEqual([422, 'INVALID_SIGNATURE'])
    expect(await send(event, { timestamp: now - 301 })).toEqual([422, 'INVALID_SIGNATURE'])
    const path = `/api/v1/payment-accounts/${env.accounts.side}/webhook`
    for (const header of ['', 't=1,v1=', 't=,v1=00', `t=${now}`, 'x'.repeat(5_000)]) {
      const answer = await env.api.send<{ code: string }>('POST', path, {
        ...{ raw: JSON.stringify(event), headers: { 'stripe-signature': header } },
      })
      expect([answer.status, answer.body.code]).toEqual([422, 'INVALID_SIGNATURE'])
    }
    expect((await read(bought)).status).toBe('pending_payment')
  })

  test('about another amount than ours pays nothing, and an operator sees why', async () => {
    const bought = await order()
    payWith(env.stripe, bought.payment, 'good')
    const { provider_reference: reference } = bought.payment
    env.stripe.ledger.intent(reference ?? '').amount = 999
    expect(await send(noticeOf(reference, 'succeeded'))).toEqual([200, true])
    expect(await read(bought)).toMatchObject({
      status: 'pending_payment',
      payment: { status: 'requires_action', failure: 'amount_mismatch' },
    })
  })

  test('that says paid while Stripe says otherwise is not believed', async () => {
    const bought = await order()
    const { provider_reference: id } = bought.payment
    const object = { id, object: 'payment_intent', status: 'succeeded', metadata: {} }
    const event = { id: 'evt_lie', object: 'event', type: 'payment_intent.succeeded', data: { object } }
    expect(await send(event)).toEqual([200, true])
    expect((await read(bought)).status).toBe('pending_payment')
  })

  test('that comes before Stripe has answered us finds the payment by our id in it', async () => {
    let early: [number, boolean | string] | undefined
    let isFirst = true
    env.stripe.meanwhile = async ({ method, path }) => {
      if (!isFirst || method !== 'POST' || !path.endsWith('/payment_intents')) return
      isFirst = false
      const { id } = [...env.stripe.ledger.intents.values()].at(-1) ?? { id: '' }
      env.stripe.ledger.succeed(id)
      early = await send(noticeOf(id, 'succeeded'))
    }
    const bought = await order()
    expect(early).toEqual([200, true])
    expect((await read(bought)).status).toBe('paid')
  })

  test('that is lost loses nothing: a worker asks', async () => {
    const bought = await order()
    payWith(env.stripe, bought.payment, 'good')
    await advance(env.side, { minutes: 2 })
    expect((await read(bought)).status).toBe('paid')
  })
})

describe('money for a canceled order', () => {
  test('reserves its stock again where that is there', async () => {
    const bought = await order()
    await env.side.admin.post(`/shop/orders/${bought.id}/cancel`, {})
    payWith(env.stripe, bought.payment, 'good')
    expect(await send(noticeOf(bought.payment.provider_reference, 'succeeded'))).toEqual([200, true])
    expect(await read(bought)).toMatchObject({ status: 'paid', refunded_amount: 0 })
  })

  test('goes back by itself where the stock is gone, once', async () => {
    const bought = await order({ stock: 1 })
    payWith(env.stripe, bought.payment, 'asks_owner')
    await env.side.admin.post(`/shop/orders/${bought.id}/cancel`, {})
    await env.side.admin.post(`/shop/variants/${bought.variantId}/stock`, { delta: -1, reason: 'broken' })
    const { provider_reference: reference } = bought.payment
    env.stripe.ledger.succeed(reference ?? '')
    expect(await send(noticeOf(reference, 'succeeded'))).toEqual([200, true])
    await advance(env.side, { minutes: 5 })
    const refunds = [...env.stripe.ledger.refunds.values()].filter(
      (each) => each.payment_intent === reference,
    )
    expect(refunds.map(({ amount, status }) => [amount, status])).toEqual([[1_000, 'succeeded']])
    const after = await read(bought)
    expect(after).toMatchObject({
      status: 'canceled',
      refunded_amount: 10,
      refunds: [{ status: 'succeeded' }],
    })
    expect(after.payment.amount_refunded).toBe(10)
  })

  test('is never taken where Stripe can still end the payment', async () => {
    const bought = await order()
    await env.side.admin.post(`/shop/orders/${bought.id}/cancel`, {})
    await advance(env.side, { minutes: 1 })
    expect(env.stripe.ledger.intent(bought.payment.provider_reference ?? '').status).toBe('canceled')
  })
})
