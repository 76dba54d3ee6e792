import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { makeCustomer, makeDiscount, makeProduct, makeVariant } from '#testkit/areas/money/shop.ts'
import { describeWithBrowser } from '#testkit/servers/browser.ts'
import { FOCUSED, tabTo } from '../elements/demo-rig.ts'
import { withConsole } from './rig.ts'

// Selling, refunding and changing plans in the console: what is shown before is what happens.

interface Order {
  readonly id: string
  readonly number: string
  readonly status: string
  readonly refunded_amount: number
}
interface Subscribed {
  readonly id: string
  readonly bill: { readonly id: string }
}
interface Variant {
  readonly id: string
  readonly on_hand: number
}

const rig = withConsole()

/** An order of three cups at 3.33 and a jug at 20, with 10 % off, which waits for its money. */
async function sell(): Promise<{ order: Order; cups: string }> {
  const side = rig.one.test
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

const read = async <T>(path: string): Promise<T> =>
  (await rig.one.test.admin.get<{ data: T }>(path)).body.data

/** Presses a button of the open dialog by keyboard. Its opener, and the title, may have the same words. */
async function pressInDialog(page: Page, name: string): Promise<void> {
  const isThere = `document.activeElement?.closest('[role=dialog]') !== null
    && document.activeElement.tagName === 'BUTTON' && document.activeElement.textContent === ${JSON.stringify(name)}`
  for (let i = 0; !(await page.evaluate(isThere)); i++) {
    if (i === 60) throw new Error(`The keyboard does not lead to '${name}'`)
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Enter')
}

describeWithBrowser('money in the console', () => {
  test('an order is marked as paid, sent, and refunded in part by its items, by keyboard alone', async () => {
    const { order, cups } = await sell()
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
    await pressInDialog(page, 'Refund €6.00')
    // A second press finds it under way.
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    const after = await read<Order>(`/shop/orders/${order.id}`)
    expect(after).toMatchObject({ status: 'fulfilled', refunded_amount: 6 })
    expect(await read<Variant>(`/shop/variants/${cups}`)).toMatchObject({ on_hand: 9 })
    await page.getByRole('button', { name: 'Refund' }).click()
    await dialog.getByText('€20.99 of €26.99 can still be refunded.').waitFor()
    await dialog.getByLabel('Amount in EUR').fill('21')
    await dialog.getByRole('button', { name: 'Refund €21.00' }).click()
    await dialog.getByRole('alert').waitFor()
    expect((await read<Order>(`/shop/orders/${order.id}`)).refunded_amount).toBe(6)
    expect(complaints.filter((each) => !each.includes('422'))).toEqual([])
    await close()
  })

  test('a subscription changes its plan for exactly the price that is shown first, and is canceled with its effect first', async () => {
    const side = rig.one.test
    const basic = await side.makePlan({ name: 'Basic', rank: 10, price: 10, currency: 'eur' })
    await side.makePlan({ name: 'Patron', rank: 20, price: 30, currency: 'eur' })
    const member = await side.makeMember({ full_name: 'Ada Lovelace' })
    const { body } = await side.admin.post<{ data: Subscribed }>('/subscriptions', {
      member_id: member.id,
      plan_id: basic.id,
    })
    const { id, bill } = body.data
    await side.admin.post(`/bills/${bill.id}/mark-paid`)
    const { page, complaints, close } = await rig.openAt(`subscriptions?member_id=${member.id}`)
    await page.getByRole('link', { name: 'Ada Lovelace' }).click()
    await page.getByRole('button', { name: 'Change the plan' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('New plan').selectOption({ label: 'Patron · €30.00 a month' })
    await dialog.getByRole('button', { name: 'Show the price' }).click()
    const verb = dialog.getByRole('button', { name: /^Change for €/ })
    const shown = Number((await verb.textContent())?.replace('Change for €', ''))
    expect(shown).toBeGreaterThan(19)
    await verb.click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('€30.00 a month').waitFor()
    const { open_bill_id: owed } = await read<{ open_bill_id: string }>(`/subscriptions/${id}`)
    expect((await read<{ total: number }>(`/bills/${owed}`)).total).toBe(shown)
    await page.getByRole('button', { name: 'Cancel the subscription' }).click()
    await dialog.getByText(/The member keeps access until/).waitFor()
    await dialog.getByLabel('When').selectOption('now')
    await dialog.getByText(/The remaining \d+ days are neither refunded nor credited/).waitFor()
    await dialog.getByRole('button', { name: 'End it now' }).click()
    await page.getByText('It was canceled', { exact: true }).waitFor()
    expect(await read<object>(`/subscriptions/${id}`)).toMatchObject({ status: 'canceled' })
    expect(complaints).toEqual([])
    await close()
  })

  test('a plan that the API refuses shows why on its field; amounts have the digits of their currency', async () => {
    const { page, close } = await rig.openAt('plans')
    await page.getByRole('button', { name: 'New plan' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name', { exact: true }).fill('Kuwaiti')
    await dialog.getByLabel('Price', { exact: true }).fill('1.2345')
    await dialog.getByLabel('Currency', { exact: true }).fill('kwd')
    await dialog.getByRole('button', { name: 'Create the plan' }).click()
    await dialog.getByText('has more decimals than kwd has').waitFor()
    await expect.poll(() => page.evaluate(FOCUSED)).toBe('Price')
    await dialog.getByLabel('Price', { exact: true }).fill('1.25')
    await dialog.getByRole('button', { name: 'Create the plan' }).click()
    await page.getByRole('heading', { name: 'Kuwaiti' }).waitFor()
    await page.getByText('KWD\u00a01.250 a month').waitFor()
    await close()
  })

  test('a viewer sees orders and bills, and no button that changes or exports them', async () => {
    const { order } = await sell()
    const { page, close } = await rig.openAt('orders', { who: rig.viewer })
    const names = /^(New|Edit|Refund|Mark|Cancel|Delete|Export|Archive|Complete)/
    for (const path of ['orders', `orders/${order.id}`, 'plans', 'products', 'discounts', 'bills']) {
      await page.goto(`${rig.api.url}/console/${rig.one.project.id}/test/${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.getByText('Loading …').waitFor({ state: 'detached' })
      expect([path, await page.getByRole('main').getByRole('button', { name: names }).count()]).toEqual([
        path,
        0,
      ])
    }
    await close()
  })
})
