import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { advance, makeStripeAccount, sendNotice } from '#testkit/areas/money/payments.ts'
import { describeWithBrowser } from '#testkit/servers/browser.ts'
import { type StripeServer, startStripe } from '#testkit/stripe/server.ts'
import { sell } from './flows/money.ts'
import { withConsole } from './rig.ts'

// Payments and cards that an operator begins, and that the payer finishes in a browser.

interface Subscribed {
  readonly id: string
  readonly bill: { readonly id: string }
}

let stripe: StripeServer
const rig = withConsole(async () => undefined, {
  environment: async () => {
    stripe = await startStripe()
    return { ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8,::1', STRIPE_API_URL: stripe.url }
  },
})
afterAll(() => stripe.close())

const read = async <T>(path: string): Promise<T> =>
  (await rig.one.test.admin.get<{ data: T }>(path)).body.data

async function subscribe(): Promise<Subscribed> {
  const { id: plan_id } = await rig.one.test.makePlan({ price: 30, currency: 'eur' })
  const { id: member_id } = await rig.one.test.makeMember()
  const made = await rig.one.test.admin.post<{ data: Subscribed }>('/subscriptions', { member_id, plan_id })
  return made.body.data
}

/** The secret that the open dialog shows for the browser of the payer. */
async function shownSecret(page: Page, title: string): Promise<string> {
  const dialog = page.getByRole('dialog', { name: title })
  await dialog.waitFor()
  const text = await dialog.locator('code').first().textContent()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await dialog.waitFor({ state: 'detached' })
  return text ?? ''
}

/** The payer enters a good card, and what is due after that happens. */
async function pay(secret: string): Promise<void> {
  const id = secret.replace(/_secret_.*/, '')
  stripe.ledger.confirm(id, stripe.ledger.addMethod('good', null), { offSession: false })
  await advance(rig.one.test, { minutes: 2 })
}

/** The card that a subscription is charged with, as Stripe names it. */
const cardOf = async (): Promise<string | null> => {
  const { rows } = await rig.api.owner.query<{ method_ref: string | null }>(
    'select method_ref from subscriptions where project_id = $1 order by created_at desc limit 1',
    [rig.one.test.projectId],
  )
  return rows[0]?.method_ref ?? null
}

describeWithBrowser('payments in the console', () => {
  test('a bill that is paid by hand is said to wait, and its payer needs no browser', async () => {
    const { bill, id } = await subscribe()
    const { page, complaints, close } = await rig.openAt(`bills/${bill.id}`)
    await page.getByRole('button', { name: 'Start a payment' }).click()
    await page.getByRole('dialog').getByText('A payment of €30.00 is started').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Start the payment' }).click()
    await page.getByRole('dialog').getByText('Money that is taken by hand').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await page.getByRole('table', { name: 'Payments' }).getByText('pending').waitFor()
    await page.goto(page.url().replace(/bills.*/, `subscriptions/${id}`))
    await page.getByRole('button', { name: 'Cancel the subscription' }).waitFor()
    expect(await page.getByRole('button', { name: 'Replace the card' }).count()).toBe(0)
    expect(complaints).toEqual([])
    await close()
  })

  test('a bill is paid by the card that its payer enters with the secret on the screen, and another card is charged after that', async () => {
    const account = await makeStripeAccount(rig.one.test)
    const { bill, id } = await subscribe()
    const { page, complaints, close } = await rig.openAt(`bills/${bill.id}`)
    const start = async () => {
      await page.getByRole('button', { name: 'Start a payment' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Start the payment' }).click()
      return shownSecret(page, 'The payment waits for the payer')
    }
    const secret = await start()
    // A second start goes on with the same payment.
    expect(await start()).toBe(secret)
    await pay(secret)
    await page.reload()
    await page.getByText('paid', { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'Start a payment' }).count()).toBe(0)
    const before = await cardOf()
    expect(before).toMatch(/^pm_/)

    await page.goto(page.url().replace(/bills.*/, `subscriptions/${id}`))
    await page.getByRole('button', { name: 'Replace the card' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Begin' }).click()
    const setup = await shownSecret(page, 'The card waits for the member')
    const event = stripe.ledger.finishSetup(setup.replace(/_secret_.*/, ''), 'good')
    expect(await sendNotice(rig.api, account, event)).toEqual([200, true])
    await expect.poll(cardOf).not.toBe(before)
    expect(complaints).toEqual([])
    await close()
  })

  test('an order is paid the same way', async () => {
    const { order } = await sell(rig)
    const { page, complaints, close } = await rig.openAt(`orders/${order.id}`)
    await page.getByRole('button', { name: 'Start a payment' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Start the payment' }).click()
    await pay(await shownSecret(page, 'The payment waits for the payer'))
    expect(await read<object>(`/shop/orders/${order.id}`)).toMatchObject({ status: 'paid' })
    expect(complaints).toEqual([])
    await close()
  })

  test('what a provider refuses is said in the dialog', async () => {
    const { bill } = await subscribe()
    stripe.secretKeys.clear()
    const { page, close } = await rig.openAt(`bills/${bill.id}`)
    await page.getByRole('button', { name: 'Start a payment' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Start the payment' }).click()
    await page.getByRole('dialog').getByRole('alert').getByText(/key/).waitFor()
    await close()
  })

  test('a viewer begins no payment and no card', async () => {
    const { bill, id } = await subscribe()
    const { page, close } = await rig.openAt(`bills/${bill.id}`, { who: rig.viewer })
    for (const path of [`bills/${bill.id}`, `subscriptions/${id}`]) {
      await page.goto(`${rig.api.url}/console/${rig.one.project.id}/test/${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await expect.poll(() => page.getByText('Loading …').count()).toBe(0)
      expect(await page.getByRole('button', { name: /payment|card/ }).count()).toBe(0)
    }
    await close()
  })
})
