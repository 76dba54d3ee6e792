import { describe, expect, test } from 'vitest'
import { orderLineId } from '#areas/entitlements/ids.ts'
import { parseId } from '#platform/ids.ts'
import type { TestApi } from '#testkit/api.ts'
import { makeCourse, makeDraft } from '#testkit/areas/lms.ts'
import { type Customer, makeCustomer, makeProduct } from '#testkit/areas/money/shop.ts'
import type { Side } from '#testkit/factories.ts'
import { withProjects } from '#testkit/with-api.ts'
import type { Order } from './schema.ts'

interface Made<T> {
  data: T
}

let api: TestApi
let side: Side

withProjects((opened, one) => {
  api = opened
  side = one.live
})

const buy = async ({ client }: Customer, product_id: string) => {
  await client.post('/shop/cart', { product_id })
  return (await client.post<Made<Order>>('/shop/checkout', {})).body.data
}
const act = (id: string, verb: string) => side.admin.post<Made<Order>>(`/shop/orders/${id}/${verb}`)

describe('a course', () => {
  test('that was paid enrolls its buyer; a refund ends that unless another order gives the course too, and is announced', async () => {
    const customer = await makeCustomer(side)
    const course = await makeCourse(side, { title: 'Pottery', price: 30, currency: 'eur' })
    const product = await makeProduct(side, { price: 30, grants: { course_id: course.id, days: 30 } })
    const enrollments = async () => {
      const { rows } = await api.owner.query(
        `select status, source, basis_id as line, round(extract(epoch from expires_at - now()) / 86400)::int as days
          from enrollments where member_id = $1`,
        [parseId('member', customer.id)],
      )
      return rows
    }
    const orders = [await buy(customer, product.id), await buy(customer, product.id)]
    const [first, second] = orders.map(({ lines }) => parseId(orderLineId, lines[0]?.id ?? ''))
    expect(await enrollments()).toEqual([])
    for (const { id } of orders) expect((await act(id, 'mark-paid')).status).toBe(200)
    const enrolled = { status: 'active', source: 'grant' }
    expect(await enrollments()).toEqual([{ ...enrolled, line: second, days: 60 }])
    expect((await act(orders[1]?.id ?? '', 'refund')).body.data.status).toBe('refunded')
    expect(await enrollments()).toEqual([{ ...enrolled, line: first, days: 30 }])
    expect((await act(orders[0]?.id ?? '', 'refund')).body.data.status).toBe('refunded')
    expect(await enrollments()).toMatchObject([{ status: 'canceled' }])
    const { rows } = await api.owner.query(
      `select type, payload->>'status' as status from events where member_id = $1 and type like 'enrollment.%' order by id`,
      [parseId('member', customer.id)],
    )
    expect(rows).toEqual([
      { type: 'enrollment.created', status: 'active' },
      { type: 'enrollment.expired', status: 'canceled' },
    ])
  })

  test('that is bought again is open for all of its days, and after a refund for those of the others', async () => {
    const customer = await makeCustomer(side)
    const course = await makeCourse(side, { title: 'Glazing', price: 30, currency: 'eur' })
    const days = async () => {
      const { rows } = await api.owner.query<{ days: number | null }>(
        `select round(extract(epoch from expires_at - now()) / 86400)::int as days
          from enrollments where member_id = $1 and status = 'active'`,
        [parseId('member', customer.id)],
      )
      return rows.map(({ days: left }) => left)
    }
    const bought = async (grants: object) => {
      const product = await makeProduct(side, { price: 30, grants: { course_id: course.id, ...grants } })
      const { id } = await buy(customer, product.id)
      expect((await act(id, 'mark-paid')).status).toBe(200)
      return id
    }
    await bought({ days: 30 })
    const longer = await bought({ days: 90 })
    expect(await days()).toEqual([120])
    await bought({ days: 10 })
    expect(await days()).toEqual([130])
    const forever = await bought({})
    expect(await days()).toEqual([null])
    await act(forever, 'refund')
    expect(await days()).toEqual([130])
    await act(longer, 'refund')
    expect(await days()).toEqual([40])
  })

  test('is not sold to a member whom a key has removed from it: not put into a cart, not checked out, not paid', async () => {
    const customer = await makeCustomer(side)
    const { client } = customer
    const course = await makeCourse(side, { title: 'Raku', price: 30, currency: 'eur' })
    const product = await makeProduct(side, { price: 30, grants: { course_id: course.id } })
    const order = await buy(customer, product.id)
    await client.post('/shop/cart', { product_id: product.id })
    const enrolled = await side.admin.post<Made<{ id: string }> & { enrollment?: { id: string } }>(
      '/lms/enrollments',
      {
        course_id: course.id,
        student_id: customer.id,
      },
    )
    expect(enrolled.status).toBe(201)
    const { id } = enrolled.body.data ?? enrolled.body.enrollment
    expect((await side.admin.delete(`/lms/enrollments/${id}`)).status).toBe(200)
    const refused = async (path: string, body?: object) => {
      const answer = await client.post<{ code: string; details: { field: string }[] }>(path, body)
      return [answer.status, answer.body.code, answer.body.details?.[0]?.field]
    }
    const removed = [422, 'REMOVED_FROM_COURSE', 'lines[0]']
    expect(await refused('/shop/cart', { product_id: product.id })).toEqual(removed)
    expect(await refused('/shop/checkout', {})).toEqual(removed)
    expect(await refused(`/shop/orders/${order.id}/pay`)).toEqual(removed)
    // Once a key has enrolled the member again, all of it can be bought.
    await side.admin.post('/lms/enrollments', { course_id: course.id, student_id: customer.id })
    expect((await client.post('/shop/checkout', {})).status).toBe(201)
  })

  test('that is gone keeps nobody from paying, and no product is made for it', async () => {
    const customer = await makeCustomer(side)
    const draft = await makeDraft(side, { title: 'Gone' })
    const gone = await makeProduct(side, { price: 5, grants: { course_id: draft.id } })
    expect((await side.admin.delete(`/lms/courses/${draft.id}`)).status).toBe(200)
    const { id } = await buy(customer, gone.id)
    expect((await act(id, 'mark-paid')).body.data.status).toBe('paid')
    const late = { name: 'Late', price: 5, grants: { course_id: draft.id } }
    const { status, body } = await side.admin.post<{ details: object[] }>('/shop/products', late)
    expect([status, body.details]).toMatchObject([422, [{ field: 'grants.course_id' }]])
  })
})
