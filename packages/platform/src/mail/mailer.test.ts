import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { tcpReceiver } from '#testkit/servers/receiver.ts'
import { startSmtp, type TestSmtp } from '#testkit/servers/smtp.ts'
import { makeLog } from '../telemetry/log.ts'
import { Mailer, type OutgoingMail } from './mailer.ts'

let smtp: TestSmtp
beforeAll(async () => {
  smtp = await startSmtp()
})
afterAll(() => smtp.close())
afterEach(() => {
  smtp.mails.length = 0
  smtp.behave({})
})

const FROM = 'no-reply@guild.example'
const MAIL: OutgoingMail = {
  id: '0192f0c4-5d0a-7a51-9c56-0242ac120002',
  projectId: '0192f0c4-5d0a-7a51-9c56-0242ac120003',
  senderName: 'Gilde „Süd“, e.V.',
  to: { name: 'Ada “Countess” Lovelace', address: 'ada@example.com' },
  subject: 'Grüße — ünd mehr',
  text: 'Hellö\n',
  html: '<p>Hellö</p>',
}

function mailerTo(url: string | undefined): Mailer {
  const mailer = new Mailer({ SMTP_URL: url, MAIL_FROM: FROM })
  onTestFinished(() => mailer.close())
  return mailer
}

const send = (mail: Partial<OutgoingMail> = {}) => mailerTo(smtp.url).send({ ...MAIL, ...mail })

describe('a mail that is taken', () => {
  test('arrives with both parts, its names, and an id that is the same at every attempt', async () => {
    expect(await send({ replyTo: 'help@guild.example' })).toEqual({
      outcome: 'sent',
      response: '250 2.0.0 Taken',
    })
    await send()
    const [first, second] = smtp.mails
    expect(first).toMatchObject({
      from: { name: MAIL.senderName, address: FROM },
      to: [MAIL.to],
      replyTo: [{ address: 'help@guild.example' }],
      subject: MAIL.subject,
      text: expect.stringMatching(/^Hellö\n/),
      messageId: `<${MAIL.id}.${MAIL.projectId}@guild.example>`,
      envelope: { from: FROM, to: ['ada@example.com'] },
    })
    expect(first?.html).toContain('<p>Hellö</p>')
    expect(first?.headers).toContainEqual(
      expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }),
    )
    expect(second?.messageId).toBe(first?.messageId)
  })

  test('has one line of a subject, whatever was smuggled into it', async () => {
    await send({ subject: 'x\r\nBcc: eve@example.com\r\n\r\nbody' })
    expect(smtp.mails[0]?.envelope.to).toEqual(['ada@example.com'])
    expect(smtp.mails[0]?.headers.map(({ key }) => key)).not.toContain('bcc')
    expect(smtp.mails[0]?.text).toMatch(/^Hellö\n/)
  })
})

describe('a mail that is not taken', () => {
  test.each([
    ['550 5.1.1 No such user', 'bounced'],
    ['550 5.1.10 No such address', 'bounced'],
    ['550 5.2.1 Mailbox disabled', 'bounced'],
    ['550 No such user', 'bounced'],
    ['551 User not local', 'bounced'],
    ['553 Mailbox name not allowed', 'bounced'],
    ['550 5.7.1 Relaying denied', 'refused'],
    ['554 5.7.1 Listed as spam', 'refused'],
    ['550 5.1.8 Bad sender domain', 'refused'],
    ['552 5.2.2 Mailbox full', 'refused'],
    ['554 Transaction failed', 'refused'],
    ['450 4.2.0 Greylisted', 'deferred'],
    ['451 4.3.0 Try again', 'deferred'],
    ['421 4.7.0 Too many connections', 'deferred'],
  ])('where its recipient is answered %s, it is %s', async (reply, outcome) => {
    smtp.behave({ recipient: () => reply })
    const result = await send()
    expect(result).toEqual({ outcome, response: reply })
  })

  test.each([
    ['554 5.6.0 Not like this', 'refused'],
    ['452 4.3.1 Disk full', 'deferred'],
  ])('where its text is answered %s, it is %s', async (reply, outcome) => {
    smtp.behave({ message: () => reply })
    expect(await send()).toEqual({ outcome, response: reply })
  })

  test.each<Partial<OutgoingMail>>([
    { to: { name: 'x\r\nBcc: eve@example.com', address: 'ada@example.com' } },
    { to: { name: '', address: 'ada@example.com\r\nRCPT TO:<eve@example.com>' } },
    { to: { name: '', address: 'ada@example.com>, <eve@example.com' } },
    { to: { name: '', address: 'ada@example.com, eve@example.com' } },
    { to: { name: '', address: 'Ada <eve@example.com>' } },
    { to: { name: '', address: '"ada@example.com, eve"@example.com' } },
    { to: { name: '', address: 'ada@example.com\0' } },
    { to: { name: '', address: 'ada' } },
    { to: { name: '', address: `${'a'.repeat(250)}@example.com` } },
    { senderName: 'x\nBcc: eve@example.com' },
    { replyTo: 'help@guild.example\r\nBcc: eve@example.com' },
    { replyTo: 'help@guild.example, eve@example.com' },
  ])('a name or address that is more than one is refused, and nobody is asked: %j', async (smuggled) => {
    expect((await send(smuggled)).outcome).toBe('refused')
    expect(smtp.mails).toEqual([])
  })

  test.each(['ada+tag@example.com', "o'hara@example.com", 'ада@пример.рф', 'ada@[192.0.2.1]'])(
    'while %s is an address',
    async (address) => {
      expect((await send({ to: { name: '', address } })).outcome).toBe('sent')
    },
  )

  test('what the server has against us can be put right: deferred', async () => {
    smtp.behave({ sender: () => '550 5.7.1 Sender not allowed' })
    expect((await send()).outcome).toBe('deferred')
    smtp.behave({ login: () => '535 5.7.8 Wrong password' })
    const url = smtp.url.replace('smtp://', 'smtp://user:wrong@')
    expect((await mailerTo(url).send(MAIL)).outcome).toBe('deferred')
  })

  test('no server, none that listens, and one that hangs up: deferred, once', async () => {
    expect(await mailerTo(undefined).send(MAIL)).toEqual({
      outcome: 'deferred',
      response: 'SMTP_URL is not set',
    })
    const rude = await tcpReceiver((socket) => socket.end('220 mail.example\r\n'))
    onTestFinished(rude.close)
    expect((await mailerTo(`smtp://127.0.0.1:${rude.port}`).send(MAIL)).outcome).toBe('deferred')
    expect(rude.connections()).toBe(1)
    const gone = await tcpReceiver(() => {})
    await gone.close()
    expect((await mailerTo(`smtp://127.0.0.1:${gone.port}`).send(MAIL)).outcome).toBe('deferred')
  })

  test('what is kept of a reply has one line and no control characters', async () => {
    smtp.behave({ recipient: () => `550 5.1.1 ${'no'.repeat(400)}` })
    const { response } = await send()
    expect(response).toHaveLength(500)
    expect(response).not.toMatch(/\p{Cc}/u)
  })
})

test('a mail server that is away is one line of the log, and one says that it is back', async () => {
  const lines: string[] = []
  const log = makeLog('info', 'test', { write: (line) => lines.push(JSON.parse(line).msg) })
  const away = await startSmtp()
  const { port } = new URL(away.url)
  const mailer = new Mailer({ SMTP_URL: away.url, MAIL_FROM: FROM }, log)
  onTestFinished(() => mailer.close())
  await away.close()
  expect((await mailer.send(MAIL)).outcome).toBe('deferred')
  expect((await mailer.send(MAIL)).outcome).toBe('deferred')
  expect(lines).toEqual(['the mail server is away; mails wait'])
  const back = await startSmtp({ port: Number(port) })
  onTestFinished(() => back.close())
  expect((await mailer.send(MAIL)).outcome).toBe('sent')
  back.behave({ recipient: () => '550 5.1.1 No such user' })
  expect((await mailer.send(MAIL)).outcome).toBe('bounced')
  expect(lines).toEqual(['the mail server is away; mails wait', 'over: the mail server is away; mails wait'])
})
