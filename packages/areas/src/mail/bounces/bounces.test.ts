import { expect, test } from 'vitest'
import { magicLink } from '#areas/auth/mails.ts'
import { messageIdOf } from '#platform/mail/mailer.ts'
import type { TestApi } from '#testkit/api.ts'
import { bouncedMail, type ReportedFailure } from '#testkit/areas/bounced-mail.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { withOwnApi } from '#testkit/with-api.ts'
import type { Mail, Suppression } from '../schema.ts'
import { makeSendMail } from '../service.ts'

const OPS_TOKEN = 'a-token-for-operators-of-tests'

let api: TestApi
let one: Side
let other: Side
withOwnApi(
  () => ({ environment: { OPS_TOKEN } }),
  async (opened) => {
    api = opened
    const projects = await makeProjects(api)
    one = projects[0].live
    other = projects[1].live
  },
)

let made = 0

/** A mail that a server has taken. */
async function sentMail(side: Side): Promise<{ address: string; messageId: string }> {
  const address = `Bounced${++made}@example.com`
  const values = { link: 'https://guild.example/continue', code: '424242' }
  const { id, projectId } = await side.write((ctx) => ({
    id: makeSendMail(api.config)(ctx, magicLink, { to: { address }, values }),
    projectId: ctx.projectId,
  }))
  await api.owner.query(
    "update mails set state = 'sent', finished_at = now(), sealed_values = null where id = $1",
    [id],
  )
  return { address, messageId: messageIdOf({ id, projectId }, 'guild.example') }
}

async function report(text: string, authorization = `Bearer ${OPS_TOKEN}`, type = 'message/rfc822') {
  const headers = { authorization, 'content-type': type }
  const response = await fetch(`${api.url}/ops/bounces`, { method: 'POST', headers, body: text })
  const body = (await response.json()) as { code?: string; data?: { outcome: string } }
  return { status: response.status, outcome: body.data?.outcome, code: body.code }
}
const bounce = (failure: ReportedFailure) => report(bouncedMail(failure))

const mailTo = async (side: Side, address: string) =>
  (await side.admin.get<{ data: Mail[] }>('/mails')).body.data.find(({ to }) => to === address)
const suppressed = async (side: Side) =>
  (await side.admin.get<{ data: Suppression[] }>('/mail/suppressions')).body.data.map(
    ({ address }) => address,
  )

test('a mailbox that turns out not to exist after its mail was taken gets no mail any more, in that project', async () => {
  const { address, messageId } = await sentMail(one)
  expect(await bounce({ messageId })).toMatchObject({ status: 200, outcome: 'suppressed' })
  expect(await mailTo(one, address)).toMatchObject({
    state: 'failed',
    error: 'bounced',
    response: '550 5.1.1 <ada@example.com>: Recipient address rejected',
  })
  expect(await suppressed(one)).toContain(address.toLowerCase())
  expect(await suppressed(other)).toEqual([])
  // Servers repeat themselves.
  expect(await bounce({ messageId })).toMatchObject({ status: 200, outcome: 'ignored' })
})

test('a mail that its server had not accepted yet ends too, with what was filled in', async () => {
  const { messageId } = await sentMail(one)
  const id = messageId.slice(1, 37)
  await api.owner.query(
    "update mails set state = 'queued', finished_at = null, sealed_values = 'x' where id = $1",
    [id],
  )
  expect(await bounce({ messageId })).toMatchObject({ outcome: 'suppressed' })
  const { rows } = await api.owner.query('select state, sealed_values from mails where id = $1', [id])
  expect(rows).toEqual([{ state: 'failed', sealed_values: null }])
})

test('a full mailbox fails its mail and keeps its address', async () => {
  const { address, messageId } = await sentMail(one)
  expect(await bounce({ messageId, status: '5.2.2' })).toMatchObject({ outcome: 'failed' })
  expect(await mailTo(one, address)).toMatchObject({ state: 'failed', error: 'refused' })
  expect(await suppressed(one)).not.toContain(address.toLowerCase())
})

test('reports about mails that are not there, delays and other mail change nothing', async () => {
  const { address, messageId } = await sentMail(one)
  const elsewhere = messageId.replace(/\.[0-9a-f-]{36}@/, '.0192f0c4-5d0a-7a51-9c56-0242ac120003@')
  for (const text of [
    bouncedMail({ messageId: elsewhere }),
    bouncedMail({ messageId, action: 'delayed', status: '4.4.1' }),
    'Subject: Hello\r\n\r\nHello',
  ])
    expect(await report(text)).toMatchObject({ status: 200, outcome: 'ignored' })
  expect(await mailTo(one, address)).toMatchObject({ state: 'sent', error: null })
})

test('nobody but an operator reports, and nothing but mails', async () => {
  const { address, messageId } = await sentMail(one)
  const text = bouncedMail({ messageId })
  expect(await report(text, `Bearer ${one.key}`)).toMatchObject({ status: 401, code: 'AUTH_REQUIRED' })
  for (const type of ['application/json', 'text/plain'])
    expect(await report('{}', undefined, type)).toMatchObject({
      status: 400,
      code: 'UNSUPPORTED_CONTENT_TYPE',
    })
  expect(await report('x'.repeat(2_000_000))).toMatchObject({ status: 413 })
  expect(await mailTo(one, address)).toMatchObject({ state: 'sent' })
})
