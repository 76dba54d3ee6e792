import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Data, registerEndpoint } from '#testkit/areas/webhooks.ts'
import {
  type DeliveryEnvironment,
  startDeliveryEnvironment,
} from '#testkit/environments/delivery-environment.ts'
import { SOON } from '#testkit/soon.ts'
import type { Stats } from './schema.ts'

let env: DeliveryEnvironment
beforeAll(async () => {
  env = await startDeliveryEnvironment('postgres')
  env.startWorker()
})
afterAll(() => env.close())

const statsOf = async (id: string) =>
  (await env.one.admin.get<Data<Stats>>(`/webhooks/${id}/stats`)).body.data

test('they count every attempt once, by outcome and duration, and what waits', async () => {
  const mailbox = await env.mailbox()
  const { id } = await registerEndpoint(env.one, { url: mailbox.url, events: ['member.created'] })
  expect(await statsOf(id)).toMatchObject({
    attempts: 0,
    pending: 0,
    success_rate: null,
    average_ms: null,
    p95_ms: null,
    oldest_due_at: null,
    hours: [],
  })
  let count = 0
  mailbox.answer = (_, response) => {
    count += 1
    // It is not sent again while this lasts.
    if (count % 4 === 0) response.writeHead(503, { 'retry-after': '600' }).end()
    else response.end()
  }
  for (let i = 0; i < 12; i++) await env.one.makeMember()
  await vi.waitFor(async () => expect((await statsOf(id)).attempts).toBe(12), SOON)
  const stats = await statsOf(id)
  expect(stats).toMatchObject({ delivered: 9, failed: 0, failed_attempts: 3, pending: 3, success_rate: 0.75 })
  expect(stats.p95_ms).toBeGreaterThanOrEqual(stats.p50_ms ?? 0)
  expect(stats.hours.reduce((sum, hour) => sum + hour.delivered, 0)).toBe(9)
  // A 410 gives one up.
  mailbox.answer = (_, response) => response.writeHead(410).end()
  await env.one.makeMember()
  await vi.waitFor(async () => expect((await statsOf(id)).failed).toBe(1), SOON)
})
