import { Queue } from 'bullmq'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { parseId } from '#platform/ids.ts'
import {
  type Data,
  deliveriesOf,
  detailOf,
  registerEndpoint,
  secretOf,
  sendTest,
} from '#testkit/areas/webhooks.ts'
import type { DeliveryEnvironment, Mailbox } from '#testkit/environments/delivery-environment.ts'
import { startDeliveryEnvironment } from '#testkit/environments/delivery-environment.ts'
import type { QueueKind } from '#testkit/environments/jobs-environment.ts'
import { describeWithRedis } from '#testkit/servers/redis.ts'
import { SOON } from '#testkit/soon.ts'
import { endpointId } from '../ids.ts'

function suite(queue: QueueKind): void {
  let env: DeliveryEnvironment
  beforeAll(async () => {
    env = await startDeliveryEnvironment(queue)
    env.startWorker()
  })
  afterAll(() => env.close())

  /** Waits for that many messages, and answers them parsed. */
  async function arrived(mailbox: Mailbox, count: number): Promise<{ type: string; data: { id: string } }[]> {
    await vi.waitFor(() => expect(mailbox.received.length).toBeGreaterThanOrEqual(count), SOON)
    return mailbox.received.map(({ body }) => JSON.parse(body))
  }

  test('a created member arrives signed, so that the stock libraries verify it', async () => {
    const mailbox = await env.mailbox()
    const { id } = await registerEndpoint(env.one, { url: mailbox.url, events: ['member.*'] })
    const secret = await secretOf(env.one, id)
    const member = await env.one.makeMember({ full_name: 'Zoë 🦉', metadata: { a: 1 } })
    await arrived(mailbox, 1)
    const { body, headers } = mailbox.received[0] as Mailbox['received'][0]
    const verified = new StandardWebhook(secret).verify(body, headers)
    new SvixWebhook(secret).verify(body, headers)
    expect(verified).toMatchObject({ type: 'member.created', data: { id: member.id, full_name: 'Zoë 🦉' } })
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Guildhall-Webhooks/1.0',
    })
  })

  test('an event arrives although the queue takes no signals: its relay begins to send in the same process', async () => {
    const mailbox = await env.mailbox()
    await registerEndpoint(env.one, { url: mailbox.url, events: ['member.created'] })
    const away = vi.spyOn(Queue.prototype, 'addBulk').mockRejectedValue(new Error('the queue is away'))
    onTestFinished(() => away.mockRestore())
    const { id } = await env.one.makeMember()
    expect(await arrived(mailbox, 1)).toMatchObject([{ type: 'member.created', data: { id } }])
  })

  test('while a rotation overlaps, the old secret and the new one both verify', async () => {
    const mailbox = await env.mailbox()
    const { id } = await registerEndpoint(env.one, { url: mailbox.url, events: ['member.*'] })
    const old = await secretOf(env.one, id)
    await env.one.admin.post(`/webhooks/${id}/rotate-secret`)
    const current = await secretOf(env.one, id)
    await env.one.makeMember()
    await arrived(mailbox, 1)
    const { body, headers } = mailbox.received[0] as Mailbox['received'][0]
    for (const secret of [old, current]) new StandardWebhook(secret).verify(body, headers)
    await env.sql(
      `update webhook_endpoints set previous_secret_until = now() where previous_secret is not null`,
    )
    await env.one.makeMember()
    await arrived(mailbox, 2)
    const later = mailbox.received[1] as Mailbox['received'][0]
    new StandardWebhook(current).verify(later.body, later.headers)
    expect(() => new StandardWebhook(old).verify(later.body, later.headers)).toThrow()
  })

  test('an endpoint hears what it listens to, of its own project, with its own headers, once', async () => {
    const [all, plans, thin, foreign] = await Promise.all([1, 2, 3, 4].map(() => env.mailbox()))
    if (!all || !plans || !thin || !foreign) throw new Error('four mailboxes were opened')
    await registerEndpoint(env.one, { url: all.url, events: ['*', 'member.*'] })
    await registerEndpoint(env.one, { url: plans.url, events: ['plan.created'] })
    await registerEndpoint(env.one, {
      url: thin.url,
      events: ['member.created'],
      payload: 'thin',
      headers: { Authorization: 'Bearer mine' },
    })
    await registerEndpoint(env.other, { url: foreign.url })
    const member = await env.one.makeMember()
    await env.one.admin.patch(`/members/${member.id}`, { full_name: 'Ada' })
    const plan = await env.one.makePlan()
    expect((await arrived(all, 3)).map(({ type }) => type).sort()).toEqual([
      'member.created',
      'member.updated',
      'plan.created',
    ])
    expect((await arrived(plans, 1)).map(({ data }) => data.id)).toEqual([plan.id])
    expect((await arrived(thin, 1)).map(({ data }) => data)).toEqual([{ id: member.id, type: 'member' }])
    expect(thin.received[0]?.headers.authorization).toBe('Bearer mine')
    // Long enough for a sweep to find whatever should not be there.
    await new Promise((resolve) => setTimeout(resolve, 700))
    expect([all, plans, thin, foreign].map(({ received }) => received.length)).toEqual([3, 1, 1, 0])
  })

  test('a test reaches its endpoint whatever it listens to, and no other', async () => {
    const [tested, other] = [await env.mailbox(), await env.mailbox()]
    const { id } = await registerEndpoint(env.one, { url: tested.url, events: ['plan.*'] })
    await registerEndpoint(env.one, { url: other.url })
    const { status, event_type, next_attempt_at } = await sendTest(env.one, id)
    expect({ status, event_type }).toEqual({ status: 'pending', event_type: 'webhook.test' })
    expect(next_attempt_at).not.toBeNull()
    expect(await arrived(tested, 1)).toMatchObject([{ type: 'webhook.test', data: { id } }])
    expect(other.received).toEqual([])
  })

  test('a failed attempt is repeated after some seconds with the same id, and every attempt can be seen', async () => {
    const mailbox = await env.mailbox()
    const { id } = await registerEndpoint(env.one, { url: mailbox.url, events: ['plan.created'] })
    let answers = 0
    mailbox.answer = (_, response) => {
      answers += 1
      if (answers > 1) response.end('at last')
      else
        response.writeHead(500, { 'set-cookie': 'session=hidden', 'x-trace': 'abc' }).end('<b>not yet</b>\0')
    }
    await env.one.makePlan()
    await arrived(mailbox, 2)
    const [first, second] = mailbox.received
    expect(second?.id).toBe(first?.id)
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(3_900)
    expect(second?.headers['webhook-timestamp']).not.toBe(first?.headers['webhook-timestamp'])
    const delivered = await vi.waitFor(async () => {
      const [delivery] = await deliveriesOf(env.one, id, '?status=delivered')
      expect(delivery).toBeDefined()
      return delivery
    }, SOON)
    expect(delivered).toMatchObject({ attempt_count: 2, last_status: 200, next_attempt_at: null })
    expect(delivered?.event_id).toBe(first?.id)
    const { attempts, event } = await detailOf(env.one, delivered?.id ?? '')
    expect(attempts).toMatchObject([
      { number: 1, status: 500, error: null, response_body: '<b>not yet</b>\ufffd' },
      { number: 2, status: 200, error: null, response_body: 'at last' },
    ])
    expect(attempts[0]?.response_headers).toMatchObject({ 'x-trace': 'abc', 'set-cookie': '[redacted]' })
    expect(event.type).toBe('plan.created')
    expect(JSON.parse(second?.body ?? '')).toMatchObject({ data: event.data, timestamp: event.timestamp })
  })

  test('a delivery can be sent again, with the same id and a schedule of its own', async () => {
    const mailbox = await env.mailbox()
    const { id } = await registerEndpoint(env.one, { url: mailbox.url, events: ['plan.archived'] })
    const { id: delivery } = await sendTest(env.one, id)
    await arrived(mailbox, 1)
    await vi.waitFor(async () => expect((await detailOf(env.one, delivery)).status).toBe('delivered'), SOON)
    const { body } = await env.one.admin.post<Data<{ status: string }>>(
      `/webhooks/deliveries/${delivery}/retry`,
    )
    expect(body.data.status).toBe('pending')
    await arrived(mailbox, 2)
    expect(mailbox.received[1]?.id).toBe(mailbox.received[0]?.id)
    await vi.waitFor(async () => expect((await detailOf(env.one, delivery)).attempts).toHaveLength(2), SOON)
    // A failed one begins anew.
    await env.sql(`update webhook_deliveries set state = 'failed', step = 10 where endpoint_id = $1`, [
      parseId(endpointId, id),
    ])
    mailbox.answer = (_, response) => response.writeHead(500).end()
    await env.one.admin.post(`/webhooks/deliveries/${delivery}/retry`)
    await vi.waitFor(async () => {
      const again = await detailOf(env.one, delivery)
      expect(again.status).toBe('pending')
      expect(again.attempt_count).toBeGreaterThanOrEqual(3)
      expect(Date.parse(again.next_attempt_at ?? '') - Date.now()).toBeGreaterThan(1_000)
    }, SOON)
  })
}

describe('with queues in PostgreSQL', () => suite('postgres'))
describeWithRedis('with queues in Redis', () => suite('redis'))
