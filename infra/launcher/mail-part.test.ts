import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Mailer } from '#platform/mail/mailer.ts'
import { ownTime } from '#testkit/own-time.ts'
import { mailCatcher } from './mail-part.ts'

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'guildhall-mail-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const mail = {
  id: '0192f0c4-5d0a-7a51-9c56-0242ac120002',
  projectId: '0192f0c4-5d0a-7a51-9c56-0242ac120003',
  senderName: 'Guild',
  to: { name: '', address: 'ada@example.com' },
  subject: 'Hello',
  text: 'Hello\n',
  html: '<p>Hello</p>',
}

test('mail is kept in the data folder, the newest 500, and the catcher stops at once', async () => {
  const folder = await makeFolder()
  const catcher = mailCatcher(folder, 'guild@localhost')
  const { SMTP_URL, MAIL_FROM, MAILBOX_DIR } = await catcher.start({})
  expect([MAIL_FROM, MAILBOX_DIR]).toEqual(['guild@localhost', join(folder, 'mail')])
  for (let i = 0; i < 520; i++) await writeFile(join(folder, 'mail', `1000000000${100 + i}-old.eml`), 'old')

  const mailer = new Mailer({ SMTP_URL, MAIL_FROM: MAIL_FROM ?? '' })
  expect((await mailer.send(mail)).outcome).toBe('sent')
  mailer.close()
  const names = (await readdir(join(folder, 'mail'))).sort()
  expect(names).toHaveLength(500)
  const newest = await readFile(join(folder, 'mail', names.at(-1) ?? ''), 'utf8')
  expect(newest).toContain('To: ada@example.com')

  expect(await ownTime(() => catcher.stop(1_000))).toBeLessThan(1_000)
})

test('a data folder that cannot keep mail is reported in one sentence', async () => {
  const folder = await makeFolder()
  await writeFile(join(folder, 'mail'), 'a file')
  await expect(mailCatcher(folder, 'guild@localhost').start({})).rejects.toThrow(
    /^Mail cannot be stored in .*mail \(EEXIST\)\.$/,
  )
})
