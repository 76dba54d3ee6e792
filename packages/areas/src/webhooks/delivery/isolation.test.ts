import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { memberCreated } from '#areas/members/events.ts'
import { defineQuery } from '#platform/db/query.ts'
import { emit } from '#platform/events/emit.ts'
import { newUuid, toId } from '#platform/ids.ts'
import { deliveriesOf, registerEndpoint } from '#testkit/areas/webhooks.ts'
import {
  type DeliveryEnvironment,
  type Mailbox,
  startDeliveryEnvironment,
  type TestWorker,
} from '#testkit/environments/delivery-environment.ts'
import { SOON } from '#testkit/soon.ts'
import { withoutStall } from '#testkit/without-stall.ts'

let env: DeliveryEnvironment
let worker: TestWorker
beforeAll(async () => {
  env = await startDeliveryEnvironment('postgres')
  worker = env.startWorker()
})
afterAll(() => env.close())

/** Makes a transaction begin. */
const begin = defineQuery('begin', () => sql`select 1`)

/** Members created one after the other, each answered before the next one is asked for. */
async function makeMembers(count: number): Promise<string[]> {
  const ids: string[] = []
  for (let i = 0; i < count; i++) ids.push((await env.one.makeMember()).id)
  return ids
}

const membersIn = (mailbox: Mailbox) =>
  mailbox.received.map(({ body }) => (JSON.parse(body) as { data: { id: string } }).data.id)

const registerFor = (mailbox: Mailbox, input: Record<string, unknown> = {}) =>
  registerEndpoint(env.one, { url: mailbox.url, events: ['member.created'], ...input })

afterEach(() => env.sql('delete from webhook_endpoints'))

describe('an endpoint in fifo mode', () => {
  test('gets one message at a time, in the order in which things happened', async () => {
    const mailbox = await env.mailbox()
    mailbox.answer = (_, response) => setTimeout(() => response.end('ok'), 5)
    await registerFor(mailbox, { fifo: true })
    const ids = await makeMembers(60)
    await vi.waitFor(() => expect(mailbox.received).toHaveLength(60), SOON)
    expect(membersIn(mailbox)).toEqual(ids)
    expect(mailbox.mostAtOnce()).toBe(1)
  })

  test('gets what happened in a long transaction after what happened meanwhile', async () => {
    const mailbox = await env.mailbox()
    await registerFor(mailbox, { fifo: true })
    await worker.stop()
    const ids = [await env.one.makeMember(), { id: toId('member', newUuid()) }].map(({ id }) => id)
    const meanwhile: string[] = []
    await env.one.write(async (ctx) => {
      await begin(ctx)
      meanwhile.push((await env.one.makeMember()).id)
      emit(ctx, memberCreated, { ...memberCreated.example, id: ids[1] as string })
    })
    worker = env.startWorker()
    await vi.waitFor(() => expect(mailbox.received).toHaveLength(3), SOON)
    expect(membersIn(mailbox)).toEqual([ids[0], ...meanwhile, ids[1]])
  })

  test('waits behind a message that fails, and uses up no attempt of those that wait', async () => {
    const mailbox = await env.mailbox()
    let failures = 1
    mailbox.answer = (_, response) => {
      failures -= 1
      response.writeHead(failures >= 0 ? 503 : 200).end()
    }
    const { id } = await registerFor(mailbox, { fifo: true })
    const ids = await makeMembers(5)
    await vi.waitFor(() => expect(mailbox.received).toHaveLength(6), SOON)
    expect(membersIn(mailbox)).toEqual([ids[0], ...ids])
    expect((mailbox.received[1]?.at ?? 0) - (mailbox.received[0]?.at ?? 0)).toBeGreaterThan(3_900)
    await vi.waitFor(async () => {
      const deliveries = await deliveriesOf(env.one, id, '?status=delivered')
      expect(deliveries.map(({ attempt_count }) => attempt_count)).toEqual([1, 1, 1, 1, 2])
    }, SOON)
  })

  test('sends nothing while an older event is still on its way to it', async () => {
    const mailbox = await env.mailbox()
    await registerFor(mailbox, { fifo: true })
    await worker.stop()
    const older = await env.one.makeMember()
    // As if another worker's relay had it, in a transaction that takes long.
    const relay = new pg.Client({ connectionString: env.api.database.url })
    await relay.connect()
    onTestFinished(() => relay.end())
    await relay.query('begin')
    await relay.query('select from outbox for update')
    worker = env.startWorker()
    const newer = await env.one.makeMember()
    await vi.waitFor(async () => {
      const rows = await env.sql('select from webhook_deliveries where due_at is not null')
      expect(rows).toHaveLength(1)
    }, SOON)
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    expect(mailbox.received).toEqual([])
    await relay.query('rollback')
    await vi.waitFor(() => expect(mailbox.received).toHaveLength(2), SOON)
    expect(membersIn(mailbox)).toEqual([older.id, newer.id])
  })
})

describe('a rate limit', () => {
  test('is kept, and what waits for it uses up no attempt', () =>
    // What arrives while the receiver stands still seems to arrive at once.
    withoutStall(200, limited))

  async function limited(): Promise<void> {
    await env.sql('delete from webhook_endpoints')
    const mailbox = await env.mailbox()
    const { id } = await registerFor(mailbox, { rate_limit: 20 })
    await makeMembers(40)
    await vi.waitFor(() => expect(mailbox.received).toHaveLength(40), SOON)
    const times = mailbox.received.map(({ at }) => at)
    for (const from of times)
      expect(times.filter((at) => at >= from && at < from + 1_000).length).toBeLessThanOrEqual(22)
    await vi.waitFor(async () => {
      const deliveries = await deliveriesOf(env.one, id, '?status=delivered&limit=100')
      expect(deliveries.map(({ attempt_count }) => attempt_count)).toEqual(Array(40).fill(1))
    }, SOON)
  }
})

describe('one endpoint', () => {
  test('has at most five messages in flight', async () => {
    const mailbox = await env.mailbox()
    mailbox.answer = (_, response) => setTimeout(() => response.end('ok'), 20)
    await registerFor(mailbox)
    env.startWorker()
    await makeMembers(60)
    await vi.waitFor(() => expect(mailbox.received).toHaveLength(60), SOON)
    expect(mailbox.mostAtOnce()).toBeLessThanOrEqual(5)
    expect(mailbox.mostAtOnce()).toBeGreaterThan(1)
    expect(new Set(membersIn(mailbox)).size).toBe(60)
  })

  test('that never answers holds up no other', async () => {
    const [hole, healthy] = [await env.mailbox(), await env.mailbox()]
    hole.answer = () => undefined
    const { id } = await registerFor(hole)
    await registerFor(healthy)
    await makeMembers(50)
    await vi.waitFor(() => expect(healthy.received).toHaveLength(50), SOON)
    // Nobody has waited until the first attempts at the other were given up.
    const deliveries = await deliveriesOf(env.one, id, '?limit=100')
    expect(deliveries.map(({ attempt_count }) => attempt_count)).toEqual(Array(50).fill(0))
    expect(hole.received.length).toBeLessThanOrEqual(5)
  })

  test('that is slow goes to the lane of slow ones, and what it has not begun keeps all its attempts', async () => {
    const mailbox = await env.mailbox()
    mailbox.answer = (_, response) => setTimeout(() => response.end('at last'), 3_200)
    const { id } = await registerFor(mailbox)
    await makeMembers(12)
    await vi.waitFor(async () => {
      const [row] = await env.sql<{ lane: string }>('select lane from webhook_endpoints')
      expect(row?.lane).toBe('slow')
    }, SOON)
    await vi.waitFor(() => expect(mailbox.received).toHaveLength(12), SOON)
    await vi.waitFor(async () => {
      const deliveries = await deliveriesOf(env.one, id, '?status=delivered')
      expect(deliveries.map(({ attempt_count }) => attempt_count)).toEqual(Array(12).fill(1))
    }, SOON)
  })
})
