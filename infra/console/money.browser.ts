import { expect, test } from 'vitest'
import { describeWithBrowser } from '#testkit/servers/browser.ts'
import { FOCUSED } from '../elements/demo-rig.ts'
import { sell, sellAndRefund } from './flows/money.ts'
import { withConsole } from './rig.ts'

// Selling, refunding and changing plans in the console: what is shown before is what happens.

interface Subscribed {
  readonly id: string
  readonly bill: { readonly id: string }
}
const rig = withConsole()

const read = async <T>(path: string): Promise<T> =>
  (await rig.one.test.admin.get<{ data: T }>(path)).body.data

describeWithBrowser('money in the console', () => {
  test('an order is marked as paid, sent, and refunded in part by its items, by keyboard alone', async () => {
    await sellAndRefund(rig)
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
    const { order } = await sell(rig)
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
