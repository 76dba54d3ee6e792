import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { emailChanged, magicLink } from '#areas/auth/mails.ts'
import type { JobsEnvironment, TestWorker } from '#testkit/environments/jobs-environment.ts'
import { startJobsEnvironment } from '#testkit/environments/jobs-environment.ts'
import { startSmtp, type TestSmtp } from '#testkit/servers/smtp.ts'
import { deliverMail } from './deliver-mail.job.ts'
import { makeSendMail, type SendMail } from './service.ts'

let smtp: TestSmtp
let env: JobsEnvironment
let worker: TestWorker
let sendMail: SendMail

beforeAll(async () => {
  smtp = await startSmtp()
  env = await startJobsEnvironment('postgres', { SMTP_URL: smtp.url, MAIL_FROM: 'no-reply@guild.example' })
  for (const [i, id] of env.projects.entries())
    await env.sql(
      "insert into projects (id, live_id, environment, name, tier) values ($1, $1, 'live', $2, 'free')",
      [id, `Guild ${i}`],
    )
  sendMail = makeSendMail(env.config)
  worker = env.start({ jobs: [deliverMail] }, { lanes: ['mail'] })
})
afterAll(async () => {
  await env.close()
  await smtp.close()
})
afterEach(() => {
  smtp.mails.length = 0
  smtp.behave({})
})

const values = { link: 'https://guild.example/continue?token=tok_s3cret&a=b', code: '424242' }
let made = 0
const address = () => `member${++made}@example.com`

interface Row {
  state: string
  error: string | null
  attempts: number
  smtp_response: string | null
  sealed_values: Buffer | null
  next_attempt_at: Date | null
}
const rowOf = async (id: string): Promise<Row> => {
  const [row] = await env.sql<Row>('select * from mails where id = $1', [id])
  if (!row) throw new Error(`there is no mail ${id}`)
  return row
}
const ended = (id: string) => expect.poll(async () => (await rowOf(id)).state).not.toBe('queued')
/** What was filled in is forgotten at every end. */
const endsAs = async (id: string, end: Partial<Row>) => {
  await ended(id)
  expect(await rowOf(id)).toMatchObject({ ...end, sealed_values: null })
}
const ask = (
  to: { address: string; name?: string },
  options: { usefulUntil?: Date } = {},
  project?: string,
) => env.data(project).write((ctx) => sendMail(ctx, magicLink, { to, values, ...options }))
/** What was deferred, as if its time had come. */
const hurry = () =>
  env
    .sql('update outbox set run_at = now(); ')
    .then(() => env.sql("update jobs set due_at = now() where state = 'queued'"))

describe('a mail that is asked for', () => {
  test('arrives with its link and code in both parts, in the name of the project', async () => {
    const to = { address: address(), name: 'Ada Lovelace' }
    const id = await ask(to)
    await ended(id)
    const [mail] = smtp.mails
    expect(mail).toMatchObject({
      from: { name: 'Guild 0', address: 'no-reply@guild.example' },
      to: [to],
      subject: 'Log in to Guild 0',
      messageId: `<${id}.${env.projects[0]}@guild.example>`,
    })
    expect(mail?.text).toContain(values.link)
    expect(mail?.text).toContain(values.code)
    expect(mail?.html).toContain('href="https://guild.example/continue?token=tok_s3cret&amp;a=b"')
    expect(mail?.html).toContain(values.code)
    expect(await rowOf(id)).toMatchObject({
      state: 'sent',
      error: null,
      attempts: 1,
      smtp_response: '250 2.0.0 Taken',
    })
  })

  test('is not sent when its transaction is rolled back', async () => {
    const to = { address: address() }
    const rolledBack = env.data().write((ctx) => {
      sendMail(ctx, magicLink, { to, values })
      throw new Error('rolled back')
    })
    await expect(rolledBack).rejects.toThrow('rolled back')
    await ended(await ask({ address: 'sentinel@example.com' }))
    expect(smtp.mails.map((mail) => mail.envelope.to)).toEqual([['sentinel@example.com']])
  })

  test('shows its link and code nowhere in the database, and has forgotten them when it is sent', async () => {
    smtp.behave({ recipient: () => '450 4.2.0 Later' })
    const id = await ask({ address: address() })
    await expect.poll(async () => (await rowOf(id)).attempts).toBe(1)
    const tables = ['mails', 'jobs', 'outbox', 'events']
    for (const table of tables)
      for (const { row } of await env.sql<{ row: string }>(`select t::text as row from ${table} t`))
        for (const secret of [values.code, 'tok_s3cret', Buffer.from('tok_s3cret').toString('hex')])
          expect(row).not.toContain(secret)
    expect((await rowOf(id)).sealed_values).not.toBeNull()

    smtp.behave({})
    await hurry()
    await endsAs(id, { state: 'sent', attempts: 2 })
  })

  test('to somebody that could be several is refused, and so is a link that is none', async () => {
    const to = address()
    for (const wrong of [
      { address: `${to}\r\nBcc: eve@example.com` },
      { address: `${to}, eve@example.com` },
      { address: to, name: 'Ada\r\nBcc: eve@example.com' },
    ])
      await expect(ask(wrong)).rejects.toMatchObject({ status: 422, code: 'VALIDATION_ERROR' })
    const script = env
      .data()
      .write((ctx) =>
        sendMail(ctx, magicLink, { to: { address: to }, values: { link: 'javascript:alert(1)', code: '1' } }),
      )
    await expect(script).rejects.toThrow('is none')
    expect(await env.sql('select from mails where to_address like $1', [`${to}%`])).toEqual([])
  })

  test('whose values hold markup or placeholders shows them as they are', async () => {
    const new_email = '<img src=x onerror=alert(1)>{{project}}{{link}}@example.com'
    const id = await env
      .data()
      .write((ctx) => sendMail(ctx, emailChanged, { to: { address: address() }, values: { new_email } }))
    await ended(id)
    expect(smtp.mails[0]?.text?.replaceAll(/\s+/g, ' ')).toContain(new_email)
    expect(smtp.mails[0]?.html).not.toContain('<img')
    expect(smtp.mails[0]?.html).toContain('&lt;img')
  })
})

describe('a server that does not take it', () => {
  test('now is asked again later, and later still', async () => {
    smtp.behave({ recipient: () => '450 4.2.0 Greylisted' })
    const id = await ask({ address: address() })
    const waits: number[] = []
    for (let attempt = 1; attempt <= 3; attempt++) {
      await expect.poll(async () => (await rowOf(id)).attempts).toBe(attempt)
      const { next_attempt_at, state, error } = await rowOf(id)
      expect([state, error]).toEqual(['queued', 'deferred'])
      waits.push(Math.round(((next_attempt_at?.getTime() ?? 0) - Date.now()) / 1_000))
      if (attempt === 3) smtp.behave({})
      await hurry()
    }
    for (const [i, seconds] of [30, 120, 600].entries()) {
      expect(waits[i]).toBeGreaterThan(seconds * 0.8 - 12)
      expect(waits[i]).toBeLessThanOrEqual(seconds * 1.2)
    }
    await endsAs(id, { state: 'sent' })
  })

  test('for long is given up, and what was filled in forgotten', async () => {
    smtp.behave({ recipient: () => '450 4.2.0 Greylisted' })
    const id = await ask({ address: address() })
    await expect.poll(async () => (await rowOf(id)).attempts).toBe(1)
    await env.sql('update mails set attempts = 9 where id = $1', [id])
    await hurry()
    await endsAs(id, {
      state: 'failed',
      error: 'deferred',
      attempts: 10,
    })
  })

  test('until nobody has a use for it is not asked any more', async () => {
    const late = await ask({ address: address() }, { usefulUntil: new Date(Date.now() - 1_000) })
    await endsAs(late, {
      state: 'failed',
      error: 'expired',
      attempts: 0,
    })
    smtp.behave({ recipient: () => '450 4.2.0 Greylisted' })
    // It is not useful any more by the time of the second attempt, 24 s after the first at the soonest.
    const soon = await ask({ address: address() }, { usefulUntil: new Date(Date.now() + 20_000) })
    await endsAs(soon, {
      state: 'failed',
      error: 'deferred',
      attempts: 1,
    })
    expect(smtp.mails).toEqual([])
  })

  test('because of its text is not asked again', async () => {
    smtp.behave({ message: () => '554 5.6.0 Not like this' })
    const to = address()
    const id = await ask({ address: to })
    await endsAs(id, {
      state: 'failed',
      error: 'refused',
      attempts: 1,
    })
    smtp.behave({})
    const next = await ask({ address: to })
    await endsAs(next, { state: 'sent' })
  })

  test('because there is no such mailbox gets no mail for it any more, in that project, however it is written', async () => {
    smtp.behave({ recipient: () => '550 5.1.1 No such user' })
    const to = address()
    const id = await ask({ address: to })
    await endsAs(id, {
      state: 'failed',
      error: 'bounced',
      attempts: 1,
    })

    smtp.behave({})
    const again = await ask({ address: to.toUpperCase() })
    await endsAs(again, { state: 'suppressed', attempts: 0 })
    expect(smtp.mails).toEqual([])

    const elsewhere = await ask({ address: to }, {}, env.projects[1])
    await endsAs(elsewhere, { state: 'sent' })
  })

  test('because it is away loses no mail', async () => {
    const port = Number(new URL(smtp.url).port)
    await smtp.close()
    const id = await ask({ address: address() })
    await expect.poll(async () => (await rowOf(id)).attempts).toBe(1)
    smtp = await startSmtp({ port })
    await hurry()
    await endsAs(id, { state: 'sent' })
    expect(smtp.mails).toHaveLength(1)
  })
})
test('a worker that stops finishes what it sends', async () => {
  const ids = await env
    .data()
    .write((ctx) =>
      Array.from({ length: 20 }, () => sendMail(ctx, magicLink, { to: { address: address() }, values })),
    )
  await expect.poll(() => smtp.mails.length).toBeGreaterThan(0)
  await worker.stop()
  worker = env.start({ jobs: [deliverMail] }, { lanes: ['mail'] })
  for (const id of ids) await ended(id)
  expect(smtp.mails.map((mail) => mail.messageId?.slice(1, 37)).sort()).toEqual(ids.sort())
})
