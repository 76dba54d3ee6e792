import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { deliveriesOf, registerEndpoint } from '#testkit/areas/webhooks.ts'
import {
  type DeliveryEnvironment,
  type Mailbox,
  startDeliveryEnvironment,
} from '#testkit/environments/delivery-environment.ts'

const SOON = { timeout: 15_000, interval: 20 }

let env: DeliveryEnvironment
let mailbox: Mailbox

beforeAll(async () => {
  env = await startDeliveryEnvironment('postgres')
  env.startWorker()
})
afterAll(() => env.close())
beforeEach(async () => {
  await env.sql('delete from webhook_endpoints')
  mailbox = await env.mailbox()
})

const idsOf = (received: readonly { id: string }[]) => received.map(({ id }) => id).sort()
const recover = (id: string, since: string, until?: string) =>
  env.one.admin.post(`/webhooks/${id}/recover`, { since, ...(until && { until }) })
const hourAgo = () => new Date(Date.now() - 3_600_000).toISOString()

/** The ids of all events of a name in the log, once it has as many as there must be: it waits for other tests' writes. */
async function logged(name: string, atLeast: number): Promise<string[]> {
  return vi.waitFor(async () => {
    const { body } = await env.one.admin.get<{ data: { id: string; type: string }[] }>(`/events?type=${name}`)
    expect(body.data.length).toBeGreaterThanOrEqual(atLeast)
    return idsOf(body.data)
  }, SOON)
}

test('events from before an endpoint are delivered when they are asked for, those it listens to', async () => {
  for (let i = 0; i < 5; i++) await env.one.makeMember()
  await env.one.makePlan()
  await env.other.makeMember()
  const { id } = await registerEndpoint(env.one, { url: mailbox.url, events: ['member.*'] })
  expect((await recover(id, hourAgo())).status).toBe(200)
  const members = await env.sql('select from members where project_id = $1', [env.one.projectId])
  const wanted = await logged('member.created', members.length)
  await vi.waitFor(() => expect(mailbox.received).toHaveLength(wanted.length), SOON)
  expect(idsOf(mailbox.received)).toEqual(wanted)
  // Once more changes nothing: what was delivered is not sent again.
  await recover(id, hourAgo())
  await env.one.admin.post(`/webhooks/${id}/test`)
  await vi.waitFor(() => expect(mailbox.received).toHaveLength(wanted.length + 1), SOON)
  await new Promise((resolve) => setTimeout(resolve, 700))
  expect(mailbox.received).toHaveLength(wanted.length + 1)
})

test('deliveries that were given up and deliveries that wait for a retry are sent', async () => {
  const { id, created_at } = await registerEndpoint(env.one, {
    url: mailbox.url,
    events: ['plan.created'],
  })
  mailbox.answer = (_, response) => response.writeHead(500).end()
  for (let i = 0; i < 3; i++) await env.one.makePlan()
  await vi.waitFor(async () => {
    expect((await deliveriesOf(env.one, id)).map(({ attempt_count }) => attempt_count)).toEqual([1, 1, 1])
  }, SOON)
  await env.sql(`update webhook_deliveries set due_at = now() + interval '1 hour' where state = 'pending'`)
  await env.sql(
    `update webhook_deliveries set state = 'failed', due_at = null, finished_at = now(), step = 10
     where id in (select id from webhook_deliveries where state = 'pending' order by id limit 2)`,
  )
  mailbox.answer = (_, response) => response.end()
  await recover(id, created_at)
  await vi.waitFor(() => expect(mailbox.received).toHaveLength(6), SOON)
  await vi.waitFor(async () => {
    const deliveries = await deliveriesOf(env.one, id)
    expect(deliveries.map(({ status }) => status)).toEqual(['delivered', 'delivered', 'delivered'])
  }, SOON)
})

test('only the time that was asked for is recovered', async () => {
  const plans = []
  for (let i = 0; i < 3; i++) {
    plans.push(await env.one.makePlan())
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  // An event that is still on its way would go to the endpoint by itself.
  await vi.waitFor(async () => expect(await env.sql('select from outbox')).toHaveLength(0), SOON)
  const { id } = await registerEndpoint(env.one, { url: mailbox.url, events: ['plan.created'] })
  const middle = plans[1]?.created_at ?? ''
  const end = new Date(Date.parse(plans[2]?.created_at ?? '') - 1).toISOString()
  await recover(id, middle, end)
  await vi.waitFor(() => expect(mailbox.received).toHaveLength(1), SOON)
  expect(mailbox.received[0]?.body).toContain(plans[1]?.id)
})
