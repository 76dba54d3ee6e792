import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeOperator, setRole, type TestOperator } from '#testkit/areas/console.ts'
import { deliveriesOf, registerEndpoint } from '#testkit/areas/webhooks.ts'
import {
  type DeliveryEnvironment,
  type Mailbox,
  startDeliveryEnvironment,
} from '#testkit/environments/delivery-environment.ts'
import { describeWithBrowser, startBrowser } from '#testkit/servers/browser.ts'
import { freePort } from '#testkit/servers/free-port.ts'
import { tabTo } from '../elements/demo-rig.ts'
import { registerAndReplay } from './flows/webhooks.ts'
import { assertFits, logInTo, openConsole, TRUSTED } from './pages.ts'

// From a failed request and a failed delivery to their cure, with a worker that sends.

let env: DeliveryEnvironment
let receiver: Mailbox
let operator: TestOperator
let webhook: string

beforeAll(async () => {
  const port = await freePort()
  env = await startDeliveryEnvironment('postgres', {
    ...TRUSTED,
    PORT: String(port),
    BASE_URL: `http://127.0.0.1:${port}`,
  })
  env.startWorker()
  receiver = await env.mailbox()
  operator = await makeOperator(env.api)
  await setRole(env.api, env.one.projectId, operator.id, 'admin')
  ;({ id: webhook } = await registerEndpoint(env.one, { url: receiver.url, events: ['member.created'] }))
})
afterAll(() => env.close())

/** Makes a member whose webhook is refused. @returns the id of the request */
async function failOnce(email: string): Promise<string> {
  // No attempt of the schedule comes while the test runs.
  receiver.answer = (_, response) =>
    response.writeHead(503, { 'retry-after': '3600' }).end('<b>the disk is full</b>')
  const { headers } = await env.one.admin.post('/members', { email })
  await expect
    .poll(async () => (await deliveriesOf(env.one, webhook))[0]?.last_status, { timeout: 20_000 })
    .toBe(503)
  receiver.answer = (_, response) => response.end('ok')
  return headers['x-request-id'] ?? ''
}

describeWithBrowser('webhooks and requests in the console', () => {
  let browser: Browser
  let page: Page
  let complaints: string[]
  let close: () => Promise<void>
  let at: string
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser.close())

  const begin = async (options = {}) => {
    ;({ page, complaints, close } = await openConsole(browser, env.api.url, options))
    await logInTo(page, operator.email)
    at = page.url().replace(/test\/?$/, 'live/')
  }

  test('a delivery that failed is found from its webhook and sent again, by keyboard alone', async () => {
    await failOnce('refused@example.com')
    await begin()
    await page.goto(`${at}webhooks`)
    await page.getByRole('link', { name: receiver.url }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'member.created' }).first().focus()
    await page.keyboard.press('Enter')
    // The answer is text, whatever it is.
    await page.getByText('<b>the disk is full</b>').waitFor()
    const before = receiver.received.length
    await tabTo(page, 'Send again')
    await page.keyboard.press('Enter')
    await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBe(before + 1)
    await page.getByText('delivered', { exact: true }).waitFor()
    expect(complaints).toEqual([])
    await close()
  })

  test('a webhook is tested, and its secret and a key are replaced: each new one is shown until it is saved', async () => {
    await begin()
    await page.goto(`${at}webhooks/${webhook}`)
    await page.getByText('The last 24 hours').waitFor()
    const dialog = page.getByRole('dialog')
    const choose = async (act: string) => {
      await page.getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('menuitem', { name: act }).click()
    }
    await choose('Replace the secret')
    await dialog.getByText('the signatures of both secrets for 24 hours').waitFor()
    await dialog.getByRole('button', { name: 'Replace' }).click()
    const shown = (await dialog.locator('code').textContent()) ?? ''
    const { body } = await env.one.admin.get<{ data: { secret: string } }>(`/webhooks/${webhook}/secret`)
    expect(shown).toBe(body.data.secret)
    await dialog.getByRole('button', { name: 'Close' }).click()
    const before = receiver.received.length
    await choose('Send a test')
    await dialog.getByRole('button', { name: 'Send a test' }).click()
    await page.getByRole('heading', { name: /^Delivery of/ }).waitFor()
    await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBe(before + 1)
    await page.goto(`${at}keys`)
    await page
      .getByRole('button', { name: /^Replace / })
      .last()
      .click()
    await dialog.getByText('The old key ends by itself after this time').waitFor()
    await dialog.getByRole('button', { name: 'Replace the key' }).click()
    await dialog.getByRole('button', { name: 'I have saved it' }).waitFor()
    const key = (await dialog.locator('code').textContent()) ?? ''
    expect((await env.one.as(key).get('/api-keys/self')).status).toBe(200)
    expect(complaints).toEqual([])
    await close()
  })

  test('a request leads by its id to its events, their deliveries, and to the page that says what its error means', async () => {
    const id = await failOnce('traced@example.com')
    const refused = await env.one.admin.post('/members', { email: 'nobody' })
    await begin()
    await expect
      .poll(async () => {
        await page.goto(`${at}requests?status_class=failed&code=VALIDATION_ERROR`)
        await page.getByText('Loading …').waitFor({ state: 'detached' })
        return page.getByRole('link', { name: 'POST /api/v1/members' }).count()
      })
      .toBe(1)
    await page.getByRole('link', { name: 'POST /api/v1/members' }).click()
    await page.getByText(refused.headers['x-request-id'] ?? '').waitFor()
    expect(await page.getByRole('link', { name: 'VALIDATION_ERROR' }).getAttribute('href')).toBe(
      '/docs/errors/VALIDATION_ERROR',
    )
    await page.goto(`${at}requests/${id}`)
    await page.getByText('member.created', { exact: true }).waitFor()
    await page.getByRole('link', { name: /^dlv_/ }).click()
    await page.getByRole('heading', { name: 'Delivery of member.created' }).waitFor()
    expect(complaints).toEqual([])
    await close()
  })

  test('a webhook is registered on its screen, and what it refused is found by the id of its request and sent again', async () => {
    await begin()
    await registerAndReplay({ page, at, side: env.one, receiver: await env.mailbox() })
    expect(complaints).toEqual([])
    await close()
  })

  test.each(['light', 'dark'] as const)(
    'screens of one thing have no fault that axe finds in %s, and none is wider than a telephone',
    async (scheme) => {
      const id = await failOnce(`${scheme}@example.com`)
      const [delivery] = await deliveriesOf(env.one, webhook)
      await begin({ width: 390, scheme })
      const paths = [
        `webhooks/${webhook}`,
        `webhooks/${webhook}/${delivery?.id}`,
        `requests/${id}`,
        'requests',
      ]
      for (const path of paths) {
        await page.goto(`${at}${path}`)
        await assertFits(page, path)
      }
      await close()
    },
  )
})
