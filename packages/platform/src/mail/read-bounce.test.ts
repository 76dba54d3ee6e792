import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { bouncedMail } from '#testkit/areas/bounced-mail.ts'
import { isMailboxGone, messageIdOf, parseMessageId } from './mailer.ts'
import { readBounce } from './read-bounce.ts'

const MAIL = {
  id: '0192f0c4-5d0a-7a51-9c56-0242ac120002',
  projectId: '0192f0c4-5d0a-7a51-9c56-0242ac120003',
}
const messageId = messageIdOf(MAIL, 'guild.example')
const read = (text: string) => readBounce(Buffer.from(text))

test.each(['text/rfc822-headers', 'message/rfc822', 'nothing'] as const)(
  'a report finds back to its mail when it returns %s of it',
  async (returned) => {
    expect(await read(bouncedMail({ messageId, returned }))).toEqual({
      mail: MAIL,
      status: '5.1.1',
      response: '550 5.1.1 <ada@example.com>: Recipient address rejected',
    })
  },
)

test('what a server says over several lines is one', async () => {
  const diagnostic = 'smtp; 550-5.1.1 The email account that you tried to reach does\n    not exist.\t\u0007'
  expect((await read(bouncedMail({ messageId, diagnostic })))?.response).toBe(
    '550-5.1.1 The email account that you tried to reach does not exist.',
  )
})

test.each([
  ['a note of delay', bouncedMail({ messageId, action: 'delayed', status: '4.4.1' })],
  ['a note of success', bouncedMail({ messageId, action: 'delivered', status: '2.0.0' })],
  ['a report about somebody else’s mail', bouncedMail({ messageId: '<CAF=1a2b@mail.example.com>' })],
  ['a report without a status', bouncedMail({ messageId, status: 'unknown' })],
  ['an out-of-office note', `From: ada@example.com\r\nIn-Reply-To: ${messageId}\r\n\r\nI am away`],
  ['a mail that quotes a report', `Subject: x\r\n\r\n${bouncedMail({ messageId })}`],
  ['nothing', ''],
  ['noise', randomBytes(10_000).toString('latin1')],
  ['boxes in boxes', 'Content-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\n'.repeat(1_000)],
])('%s is no bounce', async (_what, text) => {
  expect(await read(text)).toBeUndefined()
})

test('a status says that a mailbox is gone, or anything else', () => {
  for (const status of ['5.1.1', '5.1.0', '5.1.10', '5.2.1'])
    expect([status, isMailboxGone(status)]).toEqual([status, true])
  for (const status of ['5.1.7', '5.1.8', '5.2.2', '5.7.1', '4.1.1', '2.1.5', '5.0.0', '', '5.1'])
    expect([status, isMailboxGone(status)]).toEqual([status, false])
})

test('an id is read as it was written, and nobody else’s is ours', () => {
  expect(parseMessageId(messageId)).toEqual(MAIL)
  expect(parseMessageId(` ${messageId.slice(1, -1)} `)).toEqual(MAIL)
  for (const other of ['', '<a@b>', `<${MAIL.id}@guild.example>`, `<${MAIL.id}.${'-'.repeat(36)}@x>`])
    expect(parseMessageId(other)).toBeUndefined()
})
