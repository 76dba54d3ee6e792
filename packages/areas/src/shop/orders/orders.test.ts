import { describe, expect, test } from 'vitest'
import { parseId } from '#platform/ids.ts'
import type { JobRun } from '#platform/jobs/define-job.ts'
import type { TestApi } from '#testkit/api.ts'
import { type Customer, makeCustomer, makeProduct } from '#testkit/areas/money/shop.ts'
import type { Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { withProjects } from '#testkit/with-api.ts'
import type { Cart } from '../cart/schema.ts'
import { expireReservations } from '../checkout/expire-reservations.due.ts'
import { orderId } from '../ids.ts'
import { mailBuyer } from './mail-buyer.job.ts'
import type { Order } from './schema.ts'

interface Made<T> {
  data: T
}

let api: TestApi
let side: Side
let other: Side

withProjects((opened, one, two) => {
  api = opened
  side = one.live
  other = two.live
})

const buy = async (customer: Customer, product_id: string, quantity = 1) => {
  await customer.client.post('/shop/cart', { product_id, quantity })
  const made = await customer.client.post<Made<Order>>('/shop/checkout', {})
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  return made.body.data
}
const act = async (id: string, verb: string, body?: object) => {
  const answer = await side.admin.post<Made<Order> & { code: string }>(`/shop/orders/${id}/${verb}`, body)
  return { ...answer, order: answer.body.data, code: answer.body.code }
}
const stockOf = async (product: string) => {
  const { data } = (
    await side.admin.get<Made<Record<string, number>[]>>(`/shop/products/${product}/variants`)
  ).body
  const { on_hand, reserved, sold } = data[0] ?? {}
  return [on_hand, reserved, sold]
}
const planOf = async (member: string) =>
  (await side.admin.get<Made<{ plan_id: string }>>(`/members/${member}`)).body.data.plan_id
/** Lets the reservations of all orders of the side run out. */
const runOut = async () => {
  await api.owner.query(
    "update orders set reserved_until = now() - interval '1 second' where status = 'pending_payment'",
  )
  const deps = { ...api.deps, catalogue: { paymentHandlers: {}, memberData: [], searchSources: [] } }
  await expireReservations.workOff({ ...side, deps })
}

describe('an order', () => {
  test('goes from payment to completion, with history, mails and events', async () => {
    const customer = await makeCustomer(side)
    const { id } = await makeProduct(side, { stock: 4 })
    const { id: order, number } = await buy(customer, id, 3)
    expect(await stockOf(id)).toEqual([4, 3, 0])
    expect((await act(order, 'fulfill', {})).code).toBe('INVALID_TRANSITION')
    expect((await act(order, 'mark-paid')).order).toMatchObject({
      status: 'paid',
      paid_amount: 30,
      allowed_transitions: ['fulfilled', 'refunded'],
    })
    expect((await act(order, 'mark-paid')).code).toBe('INVALID_TRANSITION')
    expect((await act(order, 'cancel', {})).code).toBe('INVALID_TRANSITION')
    expect(await stockOf(id)).toEqual([1, 0, 3])
    await act(order, 'fulfill', { tracking_number: '1Z999' })
    const { order: done } = await act(order, 'complete')
    expect(done).toMatchObject({
      status: 'completed',
      tracking_number: '1Z999',
      allowed_transitions: ['refunded'],
    })
    expect(done.history.map(({ to, reason }) => [to, reason])).toEqual([
      ['pending_payment', null],
      ['paid', null],
      ['fulfilled', null],
      ['completed', null],
    ])
    expect(done.payment).toMatchObject({ status: 'succeeded', amount: 30 })
    const asked = await api.owner.query(
      "select payload from outbox where name = 'shop.mail-buyer' and payload->>'order_id' = $1 order by id",
      [parseId(orderId, order)],
    )
    const record = side.write
    for (const { payload } of asked.rows)
      await mailBuyer.run({ deps: api.deps, record } as unknown as JobRun, payload)
    const sent = await api.owner.query('select mail from mails where to_address = $1 order by id', [
      (await side.admin.get<Made<{ email: string }>>(`/members/${customer.id}`)).body.data.email,
    ])
    expect(sent.rows.map(({ mail }) => mail)).toEqual(['order_receipt', 'order_shipped'])
    const { rows } = await api.owner.query(
      "select type from events where type like 'order.%' and payload->>'id' = $1 order by id",
      [order],
    )
    expect(rows.map(({ type }) => type)).toEqual([
      'order.created',
      'order.paid',
      'order.fulfilled',
      'order.completed',
    ])
    for (const search of [number, 'Clay']) {
      const { body } = await side.admin.get<{ data: Order[] }>(`/orders?search=${search}&status=completed`)
      expect(body.data.map((each) => each.id)).toContain(order)
    }
  })

  test('is seen and canceled by its buyer, and by nobody else; all other verbs are for keys', async () => {
    const { memberId, token } = await side.signIn()
    const customer = await makeCustomer(side, memberId)
    const { id } = await makeProduct(side, { stock: 1 })
    const order = await buy(customer, id)
    const own = side.as(token)
    const stranger = await makeCustomer(side)
    const path = `/shop/orders/${order.id}`
    expect((await own.get(path)).status).toBe(200)
    expect((await own.post(`${path}/pay`)).status).toBe(200)
    expect(refusalOf(await stranger.client.get(path))).toBe('404 NOT_FOUND')
    expect(refusalOf(await stranger.client.post(`${path}/cancel`, {}))).toBe('404 NOT_FOUND')
    expect(refusalOf(await side.as((await side.signIn()).token).get(path))).toBe('404 NOT_FOUND')
    expect(refusalOf(await other.admin.get(path))).toBe('404 NOT_FOUND')
    for (const verb of ['mark-paid', 'fulfill', 'complete', 'refund'])
      expect(refusalOf(await own.post(`${path}/${verb}`, {}))).toBe('403 INSUFFICIENT_PERMISSIONS')
    expect(refusalOf(await own.get('/orders'))).toBe('403 INSUFFICIENT_PERMISSIONS')
    const reader = side.as((await side.makeKey({ permissions: ['read:commerce'] })).key)
    expect((await reader.get(path)).status).toBe(200)
    expect(refusalOf(await reader.post(`${path}/mark-paid`, {}))).toBe('403 INSUFFICIENT_PERMISSIONS')
    const { body } = await own.post<Made<Order>>(`${path}/cancel`, {})
    expect(body.data).toMatchObject({ status: 'canceled', cancel_reason: 'by_customer' })
    expect(body.data.history.at(-1)).toMatchObject({ to: 'canceled', by: memberId })
    expect(await stockOf(id)).toEqual([1, 0, 0])
    expect((await own.post<{ code: string }>(`${path}/pay`)).body.code).toBe('INVALID_TRANSITION')
  })

  test('whose reservation runs out gives its stock and its cart back, once', async () => {
    const customer = await makeCustomer(side)
    const { id } = await makeProduct(side, { stock: 2 })
    const others = await Promise.all([1, 2, 3, 4].map(() => makeProduct(side, { stock: 2 })))
    for (const { id: product_id } of others) await customer.client.post('/shop/cart', { product_id })
    const { id: order } = await buy(customer, id, 2)
    const unrelated = await makeProduct(side)
    await customer.client.post('/shop/cart', { product_id: unrelated.id })
    await Promise.all([runOut(), runOut()])
    const read = (await side.admin.get<Made<Order>>(`/shop/orders/${order}`)).body.data
    expect(read).toMatchObject({
      status: 'canceled',
      cancel_reason: 'expired',
      allowed_transitions: ['paid'],
    })
    expect(await stockOf(id)).toEqual([2, 0, 0])
    const { lines } = (await customer.client.get<Made<Cart>>('/shop/cart')).body.data
    // What is there by now, and then what comes back, as it was.
    expect(lines.map(({ product_id, quantity }) => [product_id, quantity])).toEqual([
      [unrelated.id, 1],
      ...others.map((each) => [each.id, 1]),
      [id, 2],
    ])
    const next = (await customer.client.post<Made<Order>>('/shop/checkout', {})).body.data
    expect(next).toMatchObject({ status: 'pending_payment', total: 70 })
    expect(next.id).not.toBe(order)
  })

  test('that was canceled and is paid late reserves again, or the money goes back by itself', async () => {
    const [early, late] = [await makeCustomer(side), await makeCustomer(side)]
    const plan = await side.makePlan({ rank: 50 })
    const { id } = await makeProduct(side, { stock: 1, grants: { plan_id: plan.id } })
    const { id: first } = await buy(early, id)
    await runOut()
    const { id: second } = await buy(late, id)
    await runOut()
    expect((await act(first, 'mark-paid')).order).toMatchObject({ status: 'paid', cancel_reason: null })
    expect(await stockOf(id)).toEqual([0, 0, 1])
    const { order } = await act(second, 'mark-paid')
    expect(order).toMatchObject({
      status: 'canceled',
      paid_amount: 10,
      refunded_amount: 10,
      allowed_transitions: [],
    })
    expect(order.refunds).toMatchObject([{ amount: 10, status: 'succeeded' }])
    expect((await act(second, 'mark-paid')).code).toBe('INVALID_TRANSITION')
    expect(await planOf(early.id)).toBe(plan.id)
    expect(await planOf(late.id)).not.toBe(plan.id)
    expect(await stockOf(id)).toEqual([0, 0, 1])
  })
})

test('orders of nobody of this project are refused by name, however the member is named', async () => {
  for (const id of [(await other.makeMember()).id, 'mem_x', 'x', 'prod_01jcq3k8f7e8qtk4m3hbw7rn2q']) {
    const answer = await side.admin.get<{ code: string }>('/shop/orders', { headers: { 'x-user-id': id } })
    expect([answer.status, answer.body.code]).toEqual([422, 'MEMBER_NOT_FOUND'])
  }
})

describe('refunds', () => {
  test('of lines restock them, take their grants back, and never exceed what was paid', async () => {
    const customer = await makeCustomer(side)
    const plan = await side.makePlan({ rank: 60 })
    const granting = await makeProduct(side, { price: 20, grants: { plan_id: plan.id } })
    const counted = await makeProduct(side, { stock: 5 })
    await customer.client.post('/shop/cart', { product_id: granting.id })
    const { id, lines } = await buy(customer, counted.id, 3)
    const line = (product: string) => lines.find((each) => each.product_id === product)?.id
    expect((await act(id, 'refund', {})).code).toBe('REFUND_EXCEEDS_PAID')
    await act(id, 'mark-paid')
    expect(await planOf(customer.id)).toBe(plan.id)
    const part = { lines: [{ id: line(counted.id), quantity: 2 }], restock: true, reason: 'two were broken' }
    expect((await act(id, 'refund', part)).order).toMatchObject({ status: 'paid', refunded_amount: 20 })
    expect(await stockOf(counted.id)).toEqual([4, 0, 1])
    expect((await act(id, 'refund', part)).code).toBe('REFUND_EXCEEDS_PAID')
    expect((await act(id, 'refund', { amount: 30.01 })).code).toBe('REFUND_EXCEEDS_PAID')
    for (const amount of [0, -1, 0.001])
      expect(refusalOf(await act(id, 'refund', { amount }))).toBe('422 VALIDATION_ERROR')
    expect(refusalOf(await act(id, 'refund', { lines: [{ id: 'line_x' }] }))).toBe('422 VALIDATION_ERROR')
    await act(id, 'refund', { lines: [{ id: line(granting.id) }] })
    expect(await planOf(customer.id)).not.toBe(plan.id)
    const { order } = await act(id, 'refund')
    expect(order).toMatchObject({ status: 'refunded', refunded_amount: 50, allowed_transitions: [] })
    expect(order.refunds.map(({ amount }) => amount)).toEqual([20, 20, 10])
    expect((await act(id, 'refund')).code).toBe('REFUND_EXCEEDS_PAID')
    const { rows } = await api.owner.query(
      "select action, target from audit_log where action = 'refund.create' and project_id = $1",
      [side.projectId],
    )
    expect(rows).toHaveLength(3)
  })

  test('at the same moment never add up to more than was paid', async () => {
    const customer = await makeCustomer(side)
    const { id: product } = await makeProduct(side, { price: 10 })
    const { id } = await buy(customer, product)
    await act(id, 'mark-paid')
    const answers = await Promise.all(Array.from({ length: 6 }, () => act(id, 'refund', { amount: 4 })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
    expect((await act(id, 'refund')).order).toMatchObject({ status: 'refunded', refunded_amount: 10 })
  })
})
