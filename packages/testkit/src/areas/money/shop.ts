import { newUuid } from '#platform/ids.ts'
import type { Client, Side } from '../../factories.ts'

interface Made<T> {
  readonly data: T
}

/** A product of a side, without variants unless there is a stock to count. */
export async function makeProduct(
  side: Side,
  { stock, ...input }: { stock?: number; price?: number; [field: string]: unknown } = {},
): Promise<{ id: string; variantId: string | undefined }> {
  const fields = { name: 'Clay', price: 10, currency: 'eur', ...input }
  const { id } = (await side.admin.post<Made<{ id: string }>>('/shop/products', fields)).body.data
  if (stock === undefined) return { id, variantId: undefined }
  return { id, variantId: (await makeVariant(side, id, { stock })).id }
}

export const makeVariant = async (
  side: Side,
  productId: string,
  input: object = {},
): Promise<{ id: string }> =>
  (await side.admin.post<Made<{ id: string }>>(`/shop/products/${productId}/variants`, input)).body.data

/** A discount of 10 %, unless stated otherwise. */
export const makeDiscount = async (side: Side, input: object = { percent: 10 }) =>
  (
    await side.admin.post<Made<{ id: string; code: string }>>('/shop/discounts', {
      code: `C-${newUuid().slice(-12)}`,
      ...input,
    })
  ).body.data

/** What one customer does. */
export interface Customer {
  readonly id: string
  /** Requests with the side's key in the customer's name. */
  readonly client: Client
}

export async function makeCustomer(side: Side, id?: string): Promise<Customer> {
  const member = id ?? (await side.makeMember()).id
  const headers = { 'x-user-id': member }
  const { admin } = side
  const client: Client = {
    get: (path, options) => admin.get(path, { ...options, headers: { ...headers, ...options?.headers } }),
    delete: (path, options) =>
      admin.delete(path, { ...options, headers: { ...headers, ...options?.headers } }),
    post: (path, body, options) =>
      admin.post(path, body, { ...options, headers: { ...headers, ...options?.headers } }),
    put: (path, body, options) =>
      admin.put(path, body, { ...options, headers: { ...headers, ...options?.headers } }),
    patch: (path, body, options) =>
      admin.patch(path, body, { ...options, headers: { ...headers, ...options?.headers } }),
  }
  return { id: member, client }
}

/** An item in the cart of the side's member. */
export async function makeCartItem(side: Side): Promise<{ id: string }> {
  const { client } = await makeCustomer(side, await side.member())
  const { id } = await makeProduct(side)
  return (await client.post<{ item: { id: string } }>('/shop/cart', { product_id: id })).body.item
}

/** An order of the side's member that waits for payment. A member has few of them, so that older ones are canceled. */
export async function makeOrder(side: Side): Promise<{ id: string }> {
  const { client } = await makeCustomer(side, await side.member())
  const { body } = await client.get<{ orders: { id: string }[] }>('/shop/orders?status=pending_payment')
  for (const { id } of body.orders.slice(2)) await client.post(`/shop/orders/${id}/cancel`, {})
  await makeCartItem(side)
  return (await client.post<Made<{ id: string }>>('/shop/checkout', {})).body.data
}

/** A line of such an order. */
export async function makeOrderLine(side: Side): Promise<{ id: string }> {
  const { id } = await makeOrder(side)
  const { body } = await side.admin.get<Made<{ lines: { id: string }[] }>>(`/shop/orders/${id}`)
  return { id: body.data.lines[0]?.id ?? '' }
}
