import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openPostOffice, type PostOffice } from '#testkit/post-office.ts'
import { describeWithRedis } from '#testkit/redis.ts'
import { registerEndpoint, secretOf } from '#testkit/webhooks.ts'
import type { QueueKind } from '#testkit/workbench.ts'

const SOON = { timeout: 10_000, interval: 20 }

function suite(queue: QueueKind): void {
  let office: PostOffice
  beforeAll(async () => {
    office = await openPostOffice(queue)
    office.startWorker()
  })
  afterAll(() => office.close())

  test('a created member arrives signed, so that the stock libraries verify it', async () => {
    const mailbox = await office.mailbox()
    const { id } = await registerEndpoint(office.one, { url: mailbox.url, events: ['member.*'] })
    const secret = await secretOf(office.one, id)
    const member = await office.one.makeMember({ full_name: 'Zoë 🦉', metadata: { a: 1 } })
    await vi.waitFor(() => expect(mailbox.received).toHaveLength(1), SOON)
    const { body, headers } = mailbox.received[0] as (typeof mailbox.received)[0]
    const verified = new StandardWebhook(secret).verify(body, headers)
    new SvixWebhook(secret).verify(body, headers)
    expect(verified).toMatchObject({ type: 'member.created', data: { id: member.id, full_name: 'Zoë 🦉' } })
    expect(() => new StandardWebhook(secret).verify(`${body} `, headers)).toThrow()
  })
}

describe('with queues in PostgreSQL', () => suite('postgres'))
describeWithRedis('with queues in Redis', () => suite('redis'))
