import { expect, test } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import { mailsTo } from '#testkit/areas/money/mails.ts'
import { type Customer, makeCustomer, makeDiscount, makeProduct } from '#testkit/areas/money/shop.ts'
import type { Side } from '#testkit/factories.ts'
import { withProjects } from '#testkit/with-api.ts'
import type { Order } from './schema.ts'

interface Made<T> {
  data: T
}

let api: TestApi
let side: Side

withProjects((opened, project) => {
  api = opened
  side = project.live
})

const act = async <T = Order>(path: string, body?: object, client = side.admin): Promise<T> => {
  const answer = await client.post<Made<T>>(path, body)
  expect([path, answer.status < 300 ? '' : answer.body]).toEqual([path, ''])
  return answer.body.data
}
/** The text of the last mail to a customer. */
const lastMail = async ({ id }: Customer) => (await mailsTo(api, side, id)).at(-1)?.text ?? ''

test('a receipt adds up, has the signs and digits of the currency, and leaves out what is zero', async () => {
  const customer = await makeCustomer(side)
  const clay = await makeProduct(side, { price: 19.9, tax_percent: 19 })
  await act('/shop/cart', { product_id: clay.id, quantity: 2 }, customer.client)
  const { code } = await makeDiscount(side, { amount: 4.9, currency: 'eur' })
  await act('/shop/cart/discount', { code }, customer.client)
  const order = await act('/shop/checkout', {}, customer.client)
  await act(`/shop/orders/${order.id}/mark-paid`)
  const receipt = await lastMail(customer)
  expect(receipt).toContain('2 × Clay: €39.80\n\nDiscount: -€4.90\nTotal: €34.90\nIncluded tax: €5.57\n')
  expect(receipt).toContain(`This is the receipt for your order ${order.number}. It is not an invoice.`)
  expect(receipt).not.toContain('EUR')
  await act(`/shop/orders/${order.id}/fulfill`, { tracking_number: '1Z999' })
  expect(await lastMail(customer)).toContain('2 × Clay: €39.80\n\nTracking number: 1Z999')
  await act(`/shop/orders/${order.id}/refund`, { amount: 10 })
  expect(await lastMail(customer)).toContain(`We refund €10.00 for your order ${order.number}.`)
})

test('a currency without decimals has none, and an order without tax and discount names neither', async () => {
  const customer = await makeCustomer(side)
  const { id } = await makeProduct(side, { price: 1200, currency: 'jpy' })
  await act('/shop/cart', { product_id: id }, customer.client)
  const order = await act('/shop/checkout', {}, customer.client)
  await act(`/shop/orders/${order.id}/mark-paid`)
  const receipt = await lastMail(customer)
  expect(receipt).toContain('1 × Clay: ¥1,200\n\nTotal: ¥1,200\n')
  expect(receipt).not.toMatch(/tax|Discount|\b0\b/i)
})

test('the receipt of an order that costs nothing says nothing of a payment', async () => {
  const customer = await makeCustomer(side)
  const { id } = await makeProduct(side, { price: 0 })
  await act('/shop/cart', { product_id: id }, customer.client)
  await act('/shop/checkout', {}, customer.client)
  const receipt = await lastMail(customer)
  expect(receipt).toContain('Total: €0.00')
  expect(receipt).not.toMatch(/payment|charge/i)
})
