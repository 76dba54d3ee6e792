import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Mailbox, Received } from '#testkit/environments/delivery-environment.ts'
import type { Side } from '#testkit/factories.ts'
import { verifyWebhook } from '../../../packages/sdk/src/webhooks.ts'

/** Milliseconds in which a worker sends an event. */
const SENT = { timeout: 20_000 }

interface Place {
  /** Logged in. */
  readonly page: Page
  /** The address of the side, with a slash at its end. */
  readonly at: string
  readonly side: Side
  /** Where the webhook leads. */
  readonly receiver: Mailbox
}

/** Registers a webhook for new members. @returns its secret, which the screen shows once */
async function register({ page, at, receiver }: Place): Promise<string> {
  await page.goto(`${at}webhooks`)
  await page.getByRole('main').getByRole('button', { name: 'Create a webhook' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Address').fill(receiver.url)
  await dialog.getByLabel('Events 1', { exact: true }).fill('member.created')
  await dialog.getByLabel('Description').fill('Our newsletter')
  await dialog.getByRole('button', { name: 'Create the webhook' }).click()
  await dialog.getByRole('heading', { name: 'The webhook is made' }).waitFor()
  const secret = (await dialog.locator('code').textContent()) ?? ''
  // Neither a key nor a click beside it takes away what is shown once.
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  expect(await dialog.locator('code').textContent()).toBe(secret)
  await dialog.getByRole('button', { name: 'Close' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: receiver.url }).click()
  await page.getByRole('heading', { name: 'Our newsletter' }).waitFor()
  expect(await page.content()).not.toContain(secret)
  return secret
}

/** Adds a member by the API. @returns the id of the request */
async function addMember(side: Side, email: string): Promise<string> {
  const { status, headers } = await side.admin.post('/members', { email })
  expect(status).toBe(201)
  return String(headers['x-request-id'])
}

/** A webhook is registered; an event that its receiver refused is found by the id of its request, and sent again. */
export async function registerAndReplay(place: Place): Promise<void> {
  const { page, side, receiver } = place
  const secret = await register(place)
  const verified = async (count: number): Promise<Received> => {
    await expect.poll(() => receiver.received.length, SENT).toBe(count)
    const message = receiver.received[count - 1] as Received
    // As the server of a customer checks it, which throws where the signature is not right.
    const event = await verifyWebhook(message.body, message.headers, secret)
    expect(event.type).toBe('member.created')
    return message
  }
  await addMember(side, 'subscriber@example.com')
  expect((await verified(1)).body).toContain('subscriber@example.com')

  // No attempt of the schedule comes while the operator looks.
  receiver.answer = (_, response) =>
    response.writeHead(503, { 'retry-after': '3600' }).end('down for repairs')
  const request = await addMember(side, 'latecomer@example.com')
  const refused = await verified(2)
  receiver.answer = (_, response) => response.end('ok')

  // From the id that an answer has in its head to the request, its event, its delivery, and there to another attempt.
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Find or do' }).fill(request)
  await page.getByRole('option', { name: 'POST /api/v1/members 201' }).click()
  await page.getByRole('heading', { name: 'POST /api/v1/members' }).waitFor()
  await page.getByRole('link', { name: refused.id }).click()
  await page.getByRole('heading', { name: 'member.created' }).waitFor()
  await page
    .getByRole('row', { name: /pending 1 503/ })
    .getByRole('link')
    .click()
  await page.getByText('down for repairs').waitFor()
  await page.getByRole('button', { name: 'Send again' }).click()
  const again = await verified(3)
  expect([again.id, again.body]).toEqual([refused.id, refused.body])
  await page.getByText('delivered', { exact: true }).waitFor()
  // What led here says so, too.
  await page.goBack()
  await page.getByRole('row', { name: /delivered 2 200/ }).waitFor()
  await page.goBack()
  await page.getByRole('row', { name: /delivered 2 200/ }).waitFor()
}
