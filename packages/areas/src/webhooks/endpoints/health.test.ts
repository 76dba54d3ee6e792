import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Data, deliveriesOf, registerEndpoint } from '#testkit/areas/webhooks.ts'
import {
  type DeliveryEnvironment,
  type Mailbox,
  startDeliveryEnvironment,
} from '#testkit/environments/delivery-environment.ts'
import { SOON } from '#testkit/soon.ts'
import type { Endpoint } from '../schema.ts'

let env: DeliveryEnvironment
let failing: Mailbox
/** Hears what is announced of the failing one. */
let watching: Mailbox

beforeAll(async () => {
  env = await startDeliveryEnvironment('postgres')
  env.startWorker()
})
afterAll(() => env.close())
beforeEach(async () => {
  await env.sql('delete from webhook_endpoints')
  await env.sql('delete from mails')
  await env.one.admin.patch('/mail/settings', { operator_addresses: ['ops@example.com'] })
  failing = await env.mailbox()
  failing.answer = (_, response) => response.writeHead(500).end()
  watching = await env.mailbox()
  await registerEndpoint(env.one, { url: watching.url, events: ['webhook.*'] })
})

/** Mails to operators, the oldest first: what they are about, and to whom. */
const mailed = () =>
  env.sql<{ mail: string; to_address: string }>(
    'select mail, to_address from mails order by created_at, mail',
  )

const registerFailing = () => registerEndpoint(env.one, { url: failing.url, events: ['member.created'] })
const read = async (id: string) => (await env.one.admin.get<Data<Endpoint>>(`/webhooks/${id}`)).body.data
const announced = () =>
  watching.received.map(({ body }) => JSON.parse(body) as { type: string; data: object })

/** As if nothing had succeeded at the endpoint for so many hours. */
const backdate = (hours: number) =>
  env.sql(
    `update webhook_endpoints set failing_since = now() - $1 * interval '1 hour' where failing_since is not null`,
    [hours],
  )

describe('410', () => {
  test('disables the endpoint, is announced once, and enabling goes on with what waits', async () => {
    failing.answer = (_, response) => response.writeHead(410).end()
    const { id, url } = await registerFailing()
    await env.one.makeMember()
    await vi.waitFor(async () => {
      expect(await read(id)).toMatchObject({ enabled: false, disabled_reason: 'gone' })
    }, SOON)
    await vi.waitFor(() => expect(announced()).toHaveLength(1), SOON)
    expect(announced()).toMatchObject([
      { type: 'webhook.endpoint.disabled', data: { id, url, reason: 'gone' } },
    ])
    expect(await mailed()).toEqual([{ mail: 'webhook_endpoint_disabled', to_address: 'ops@example.com' }])
    expect(await deliveriesOf(env.one, id)).toMatchObject([
      { status: 'failed', attempt_count: 1, last_status: 410 },
    ])
    const missed = await env.one.makeMember()
    failing.answer = (_, response) => response.end()
    const since = (await read(id)).disabled_at
    await env.one.admin.post(`/webhooks/${id}/enable`, { recover_since: since })
    await vi.waitFor(() => expect(failing.received).toHaveLength(2), SOON)
    expect(failing.received[1]?.body).toContain(missed.id)
    expect(await read(id)).toMatchObject({ enabled: true, disabled_at: null })
  })
})

describe('an endpoint at which nothing succeeds', () => {
  test('is failing from its first failure until its next success', async () => {
    const { id } = await registerFailing()
    await env.one.makeMember()
    await vi.waitFor(async () => expect((await read(id)).failing_since).not.toBeNull(), SOON)
    const since = (await read(id)).failing_since
    await env.one.makeMember()
    // On a slow machine the first one has been repeated by then.
    await vi.waitFor(() => expect(failing.received.length).toBeGreaterThanOrEqual(2), SOON)
    expect((await read(id)).failing_since).toBe(since)
    failing.answer = (_, response) => response.end()
    await env.one.makeMember()
    await vi.waitFor(async () => expect((await read(id)).failing_since).toBeNull(), SOON)
  })

  test('is announced at 50, 70 and 90 % of five days, once each, and disabled at the end', async () => {
    const { id } = await registerFailing()
    const fail = async () => {
      const before = failing.received.length
      await env.one.makeMember()
      await vi.waitFor(() => expect(failing.received.length).toBeGreaterThan(before), SOON)
    }
    await fail()
    await vi.waitFor(async () => expect((await read(id)).failing_since).not.toBeNull(), SOON)
    for (const [hours, count] of [
      [59, 0],
      [61, 1],
      [80, 1],
      [85, 2],
      [109, 3],
    ] as const) {
      await backdate(hours)
      await fail()
      await vi.waitFor(() => expect(announced()).toHaveLength(count), SOON)
    }
    expect((await read(id)).enabled).toBe(true)
    await backdate(121)
    await fail()
    await vi.waitFor(() => expect(announced()).toHaveLength(4), SOON)
    expect(announced()).toMatchObject([
      { type: 'webhook.endpoint.failing', data: { id, percent: 50 } },
      { type: 'webhook.endpoint.failing', data: { id, percent: 70 } },
      { type: 'webhook.endpoint.failing', data: { id, percent: 90 } },
      { type: 'webhook.endpoint.disabled', data: { id, reason: 'failing' } },
    ])
    expect((await mailed()).map(({ mail }) => mail)).toEqual([
      ...Array(3).fill('webhook_endpoint_failing'),
      'webhook_endpoint_disabled',
    ])
    expect(await read(id)).toMatchObject({ enabled: false, disabled_reason: 'failing' })
  })

  test('begins its five days anew after a success', async () => {
    const { id } = await registerFailing()
    await env.one.makeMember()
    await vi.waitFor(async () => expect((await read(id)).failing_since).not.toBeNull(), SOON)
    await backdate(110)
    await env.one.makeMember()
    await vi.waitFor(() => expect(announced()).toHaveLength(1), SOON)
    failing.answer = (_, response) => response.end()
    await env.one.makeMember()
    await vi.waitFor(async () => expect((await read(id)).failing_since).toBeNull(), SOON)
    failing.answer = (_, response) => response.writeHead(500).end()
    await env.one.makeMember()
    await vi.waitFor(async () => expect((await read(id)).failing_since).not.toBeNull(), SOON)
    await backdate(61)
    await env.one.makeMember()
    await vi.waitFor(() => expect(announced()).toHaveLength(2), SOON)
    expect(announced()[1]).toMatchObject({ data: { percent: 50 } })
  })
})

describe('a disabled endpoint', () => {
  test('gets nothing, keeps what waits, and goes on with it when it is enabled', async () => {
    const { id } = await registerFailing()
    await env.one.makeMember()
    await vi.waitFor(async () => expect((await read(id)).failing_since).not.toBeNull(), SOON)
    await env.one.admin.post(`/webhooks/${id}/disable`)
    const before = failing.received.length
    await env.sql('update webhook_deliveries set due_at = now() where due_at is not null')
    await env.one.makeMember()
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    expect(failing.received).toHaveLength(before)
    expect(await deliveriesOf(env.one, id)).toMatchObject([{ status: 'pending', next_attempt_at: null }])
    failing.answer = (_, response) => response.end()
    await env.one.admin.post(`/webhooks/${id}/enable`)
    await vi.waitFor(() => expect(failing.received).toHaveLength(before + 1), SOON)
    expect(failing.received.at(-1)?.id).toBe(failing.received[0]?.id)
  })
})
