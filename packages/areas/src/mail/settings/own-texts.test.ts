import { afterAll, beforeAll, expect, test } from 'vitest'
import { areas } from '#areas/areas.ts'
import { magicLink, passwordChanged } from '#areas/auth/mails.ts'
import { catalogueOf } from '#platform/area.ts'
import { type JobsEnvironment, startJobsEnvironment } from '#testkit/environments/jobs-environment.ts'
import { startSmtp, type TestSmtp } from '#testkit/servers/smtp.ts'
import { deliverMail } from '../deliver-mail.job.ts'
import { makeSendMail } from '../service.ts'
import { updateMailSettings, updateMailTemplates } from './service.ts'

let smtp: TestSmtp
let env: JobsEnvironment

beforeAll(async () => {
  smtp = await startSmtp()
  env = await startJobsEnvironment('postgres', { SMTP_URL: smtp.url, MAIL_FROM: 'no-reply@guild.example' })
  for (const id of env.projects)
    await env.sql(
      "insert into projects (id, live_id, environment, name, tier) values ($1, $1, 'live', 'Guild', 'free')",
      [id],
    )
  env.start({ jobs: [deliverMail] }, { lanes: ['mail'] })
})
afterAll(async () => {
  await env.close()
  await smtp.close()
})

test('a mail has the name, colours and words of its project, those of the moment when it is sent, and no other’s', async () => {
  const [own, other] = env.projects
  await env.data(own).write(async (ctx) => {
    const changes = {
      sender_name: 'Die „Gilde“',
      reply_to: 'help@guild.example',
      accent_color: '#7c3aed',
      footer: 'For {{address}}',
    }
    await updateMailSettings(ctx, { changes, ifMatch: undefined })
    await updateMailTemplates(ctx, catalogueOf(areas).mails, {
      magic_link: { subject: 'Komm herein: {{code}}', action: 'Los' },
    })
  })
  const sendMail = makeSendMail(env.config)
  for (const [project, address] of [
    [own, 'own@example.com'],
    [other, 'other@example.com'],
  ] as const)
    await env.data(project).write((ctx) => {
      sendMail(ctx, magicLink, { to: { address }, values: magicLink.example })
      sendMail(ctx, passwordChanged, { to: { address }, values: {} })
    })
  await expect.poll(() => smtp.mails.length).toBe(4)

  const find = (address: string, subject: RegExp) =>
    smtp.mails.find((mail) => mail.envelope.to.includes(address) && subject.test(mail.subject ?? ''))
  const mail = find('own@example.com', /^Komm herein: 123456$/)
  expect(mail).toMatchObject({
    from: { name: 'Die „Gilde“', address: 'no-reply@guild.example' },
    replyTo: [{ address: 'help@guild.example' }],
  })
  expect(mail?.text).toContain('For own@example.com')
  expect(mail?.html).toContain('background:#7c3aed')
  expect(mail?.html).toContain('>Los</a>')
  expect(find('own@example.com', /^Your password for Die „Gilde“ has changed$/)).toBeDefined()

  const theirs = find('other@example.com', /^Log in to Guild$/)
  expect(theirs).toMatchObject({ from: { name: 'Guild' } })
  expect(theirs?.replyTo ?? []).toEqual([])
  expect(theirs?.html).not.toContain('#7c3aed')
})
