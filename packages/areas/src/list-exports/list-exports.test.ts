import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { Export } from '#areas/exports/schema.ts'
import { makeCustomer, makeProduct } from '#testkit/areas/money/shop.ts'
import { type ExportEnvironment, openExports } from '#testkit/environments/export-environment.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { SOON } from '#testkit/soon.ts'

let env: ExportEnvironment
beforeAll(async () => {
  env = await openExports()
})
afterAll(() => env.close())

/** The rows of a file, each by the names of its columns. No cell of these tests has a line break. */
async function exported(of: string, filters: object = {}, more: object = {}) {
  const worker = env.work()
  onTestFinished(() => worker.stop())
  const asked = await env.side.admin.post<{ data: Export }>('/exports', { of, filters, ...more })
  expect(asked).toMatchObject({ status: 201, body: { data: { kind: of, status: 'queued' } } })
  const done = await vi.waitFor(async () => {
    const { data } = (await env.side.admin.get<{ data: Export }>(`/exports/${asked.body.data.id}`)).body
    expect(data).toMatchObject({ status: 'completed', error: null })
    return data
  }, SOON)
  const text = await (await fetch(done.url ?? '')).text()
  const [head = [], ...rows] = text
    .split('\r\n')
    .filter(Boolean)
    .map((line) =>
      [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)]
        .slice(0, -1)
        .map(([, cell = '']) => cell.replaceAll(/^"|"$/g, '').replaceAll('""', '"')),
    )
  expect(rows).toHaveLength(done.rows)
  return rows.map((cells) => Object.fromEntries(head.map((name, i) => [name, cells[i]])))
}

const idsOf = async (path: string) => {
  const { body } = await env.side.admin.get<{ data: { id: string }[] }>(path)
  return body.data.map(({ id }) => id).toSorted()
}

async function order(name: string, price: number, currency: string) {
  const product = await makeProduct(env.side, { name, price, currency })
  const { client, id: member } = await makeCustomer(env.side)
  await client.post('/shop/cart', { product_id: product.id })
  const { id } = (await client.post<{ data: { id: string } }>('/shop/checkout', {})).body.data
  return { id, member }
}

test('orders in a file are those of the list under each filter, with amounts of their currency', async () => {
  const paid = await order('=cmd()', 12.5, 'eur')
  const open = await order('Kimono', 1_200, 'jpy')
  await env.side.admin.post(`/shop/orders/${paid.id}/mark-paid`, {})
  const rows = await exported('orders')
  expect(rows.map(({ id }) => id).toSorted()).toEqual(await idsOf('/orders'))
  expect(rows.find(({ id }) => id === paid.id)).toMatchObject({
    ...{
      member_id: paid.member,
      status: 'paid',
      total: '12.50',
      paid: '12.50',
      currency: 'eur',
      items: '1 × =cmd()',
    },
  })
  expect(rows.find(({ id }) => id === open.id)).toMatchObject({ status: 'pending_payment', total: '1200' })
  for (const filters of [
    { status: 'paid' },
    { search: 'kimo' },
    { start_date: '2099-01-01' },
    { end_date: '2099-01-01', status: 'pending_payment' },
  ]) {
    const list = await idsOf(`/orders?${new URLSearchParams(filters as Record<string, string>)}`)
    expect((await exported('orders', filters)).map(({ id }) => id).toSorted()).toEqual(list)
  }
  expect(await exported('orders', { search: 'kimo' })).toHaveLength(1)
})

test('feedback in a file has no cell that a spreadsheet runs, unless it is asked for raw', async () => {
  const { body } = await env.side.admin.post<{ feedback: { id: string } }>('/feedback', {
    ...{ type: 'bug', title: '=1+1', message: '@SUM(A1)', visibility: 'private' },
  })
  const { id } = body.feedback
  await env.side.admin.post('/feedback', { type: 'feature', message: 'Dark mode' })
  expect(await exported('feedback', { type: 'bug' })).toMatchObject([
    { id, title: "'=1+1", message: "'@SUM(A1)" },
  ])
  expect(await exported('feedback', { type: 'bug' }, { raw: true })).toMatchObject([{ title: '=1+1' }])
  expect(await exported('feedback', { search: 'dark' })).toMatchObject([{ message: 'Dark mode', votes: '0' }])
  expect(await exported('feedback', { visibility: 'private' })).toMatchObject([{ id }])
})

test('bills and subscriptions in a file are those of the list under each filter', async () => {
  const plan = await env.side.makePlan({ price: 9.9, currency: 'eur' })
  const member_id = (await env.side.makeMember()).id
  const subscribe = async (member: string) =>
    (
      await env.side.admin.post<{ data: { id: string; bill: { id: string } } }>('/subscriptions', {
        member_id: member,
        plan_id: plan.id,
      })
    ).body.data
  const mine = await subscribe(member_id)
  await subscribe((await env.side.makeMember()).id)
  await env.side.admin.post(`/bills/${mine.bill.id}/mark-paid`)
  expect(await exported('bills', { member_id })).toMatchObject([
    { id: mine.bill.id, subscription_id: mine.id, member_id, status: 'paid', total: '9.90', currency: 'eur' },
  ])
  expect((await exported('bills')).map(({ id }) => id).toSorted()).toEqual(await idsOf('/bills'))
  expect(await exported('subscriptions', { status: 'active', member_id })).toMatchObject([
    { id: mine.id, plan_id: plan.id, price: '9.90', interval: 'month' },
  ])
  expect((await exported('subscriptions')).map(({ id }) => id).toSorted()).toEqual(
    await idsOf('/subscriptions'),
  )
})

test('events of analytics in a file are those of the list, oldest first', async () => {
  const member = await env.side.member()
  for (const event of ['one', 'two'])
    await env.side.admin.post('/analytics/track', { event, user_id: member })
  const list = await vi.waitFor(async () => {
    const { body } = await env.side.admin.get<{ data: { id: string }[] }>('/analytics/events')
    expect(body.data).toHaveLength(2)
    return body.data.map(({ id }) => id)
  }, SOON)
  const rows = await exported('analytics')
  expect(rows.map(({ id }) => id)).toEqual(list.toReversed())
  expect(await exported('analytics', { event: 'two', user_id: member })).toMatchObject([
    { event: 'two', user_id: member, type: 'event' },
  ])
})

test('an export takes the filters of its list alone, and the permission of its list', async () => {
  const ask = async (of: string, filters: object, key = env.side.key) =>
    env.side.as(key).post<{ details?: { field: string; rule: string }[] }>('/exports', { of, filters })
  const faultOf = async (of: string, filters: object) => {
    const { status, body } = await ask(of, filters)
    return [status, body.details?.[0]?.field, body.details?.[0]?.rule]
  }
  expect(await faultOf('bills', { nothing: 'x' })).toEqual([422, 'filters.nothing', 'additionalProperties'])
  expect(await faultOf('bills', { type: 'bug' })).toEqual([422, 'filters.type', 'additionalProperties'])
  expect(await faultOf('orders', { status: 'open' })).toEqual([422, 'filters.status', 'enum'])
  expect(await faultOf('bills', { member_id: 'plan_x' })).toEqual([422, 'filters.member_id', 'id'])
  expect(await faultOf('orders', { start_date: 'soon' })).toEqual([422, 'filters.start_date', 'format'])
  expect((await ask('nothing', {})).status).toBe(422)
  const { key } = await env.side.makeKey({ permissions: ['read:commerce'] })
  expect(refusalOf(await ask('bills', {}, key))).toBe('403 INSUFFICIENT_PERMISSIONS')
  expect((await ask('orders', {}, key)).status).toBe(201)
  const { body } = await ask('feedback', {})
  const { id } = (body as unknown as { data: Export }).data
  expect(refusalOf(await env.side.as(key).get(`/exports/${id}`))).toBe('403 INSUFFICIENT_PERMISSIONS')
  expect(refusalOf(await env.other.admin.get(`/exports/${id}`))).toBe('404 NOT_FOUND')
})
