import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { makeCustomer, makeDiscount, makeProduct, makeVariant } from '#testkit/areas/money/shop.ts'
import { tabTo } from '../../elements/demo-rig.ts'
import type { ConsoleRig } from '../rig.ts'

export interface Order {
  readonly id: string
  readonly number: string
  readonly status: string
  readonly refunded_amount: number
}
interface Variant {
  readonly id: string
  readonly on_hand: number
}

/** An order of three cups at 3.33 and a jug at 20, with 10 % off, which waits for its money. */
export async function sell({ one }: ConsoleRig): Promise<{ order: Order; cups: string }> {
  const side = one.test
  const { id: cup } = await makeProduct(side, { name: 'Cup', price: 3.33 })
  const { id: cups } = await makeVariant(side, cup, { name: 'blue', stock: 10 })
  const { id: jug } = await makeProduct(side, { name: 'Jug', price: 20 })
  const { code } = await makeDiscount(side)
  const { client } = await makeCustomer(side)
  await client.post('/shop/cart', { product_id: cup, variant_id: cups, quantity: 3 })
  await client.post('/shop/cart', { product_id: jug })
  await client.post('/shop/cart/discount', { code })
  const { body } = await client.post<{ data: Order }>('/shop/checkout', {})
  return { order: body.data, cups }
}

/** What the API has on the test side. @param path of a GET */
const read = async <T>({ one }: ConsoleRig, path: string): Promise<T> =>
  (await one.test.admin.get<{ data: T }>(path)).body.data

/** Presses a button of the open dialog by keyboard. Its opener, and the title, may have the same words. */
export async function pressInDialog(page: Page, name: string): Promise<void> {
  const isThere = `document.activeElement?.closest('[role=dialog]') !== null
    && document.activeElement.tagName === 'BUTTON' && document.activeElement.textContent === ${JSON.stringify(name)}`
  for (let i = 0; !(await page.evaluate(isThere)); i++) {
    if (i === 60) throw new Error(`The keyboard does not lead to '${name}'`)
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Enter')
}

/** An order is marked as paid, sent, and refunded in part by its items, by keyboard alone. @returns its id */
export async function sellAndRefund(rig: ConsoleRig): Promise<string> {
  const { order, cups } = await sell(rig)
  const { page, complaints, close } = await rig.openAt('orders')
  await page.getByRole('link', { name: order.number }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: `Order ${order.number}` }).waitFor()
  await tabTo(page, 'Mark as paid')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  // 29.99 less 10 %, half up.
  await dialog.getByText('€26.99').waitFor()
  await pressInDialog(page, 'Mark as paid')
  await dialog.waitFor({ state: 'detached' })
  await tabTo(page, 'Mark as sent')
  await page.keyboard.press('Enter')
  await dialog.getByLabel('Number of the parcel').waitFor()
  await page.keyboard.type('1Z999')
  await pressInDialog(page, 'Mark as sent')
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('1Z999').waitFor()
  await tabTo(page, 'Refund')
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Refund €26.99' }).waitFor()
  await dialog.getByLabel('Pieces of Jug').selectOption('0')
  await dialog.getByLabel('Pieces of Cup, blue').selectOption('2')
  // Two of three cups, which cost 9.00 after the discount.
  await dialog.getByRole('button', { name: 'Refund €6.00' }).waitFor()
  await tabTo(page, 'The pieces can be sold again')
  await page.keyboard.press('Space')
  await dialog.getByText('2 pieces go back into the stock').waitFor()
  // A second press finds it under way: it is not answered before.
  const pressed = Promise.withResolvers<void>()
  await page.route(/\/refund$/, async (route) => {
    await pressed.promise
    await route.continue()
  })
  await pressInDialog(page, 'Refund €6.00')
  await page.keyboard.press('Enter')
  pressed.resolve()
  await dialog.waitFor({ state: 'detached' })
  const after = await read<Order>(rig, `/shop/orders/${order.id}`)
  expect(after).toMatchObject({ status: 'fulfilled', refunded_amount: 6 })
  expect(await read<Variant>(rig, `/shop/variants/${cups}`)).toMatchObject({ on_hand: 9 })
  await page.getByRole('button', { name: 'Refund', exact: true }).click()
  await dialog.getByText('€20.99 of €26.99 can still be refunded.').waitFor()
  await dialog.getByLabel('Amount in EUR').fill('21')
  await dialog.getByRole('button', { name: 'Refund €21.00' }).click()
  await dialog.getByRole('alert').waitFor()
  expect((await read<Order>(rig, `/shop/orders/${order.id}`)).refunded_amount).toBe(6)
  expect(complaints.filter((each) => !each.includes('422'))).toEqual([])
  await close()
  return order.id
}
