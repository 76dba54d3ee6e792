import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { updateSettings } from '#areas/projects/service.ts'
import { parseId } from '#platform/ids.ts'
import type { JobRun } from '#platform/jobs/define-job.ts'
import { advance } from '#testkit/areas/test-clock.ts'
import { type MailEnvironment, startMailEnvironment } from '#testkit/environments/mail-environment.ts'
import { Forum, type Visitor } from '../forum.fixture.ts'
import { discussionId } from '../ids.ts'
import { notifySubscribers } from './notify-subscribers.job.ts'

let mails: MailEnvironment
let forum: Forum

beforeAll(async () => {
  mails = await startMailEnvironment()
  forum = new Forum(mails.one.live)
  await forum.category({ name: 'General' })
  await updateSettings(mails.api.operators, mails.one.project.id, 'live', {
    discussionUrl: 'https://forum.example.com/d/{id}',
    displayNameFrom: 'full_name',
  })
})
afterAll(() => mails.close())

let joined = 0
const join = async (input: object = {}) => {
  const email = `reader${++joined}@example.com`
  return { ...(await forum.join({ email, ...input })), email }
}
const subscribe = ({ client }: Visitor, id: string) => client.put(`/discussions/${id}/subscription`)

/** An hour passes since the last mails, and the job runs that was asked for. */
async function hourLater(id: string): Promise<void> {
  await mails.age('discussion_members', 'last_mail_at', 3600)
  const run = { deps: { config: mails.api.config }, record: forum.side.write } as unknown as JobRun
  await notifySubscribers.run(run, { discussion_id: parseId(discussionId, id) ?? '' })
}

describe('a digest', () => {
  test('tells of new comments once an hour, and of none that was removed or hidden meanwhile', async () => {
    const [author, reader] = [await join({ full_name: 'Ada' }), await join()]
    const { id } = await forum.start(author, { title: 'Plans' })
    await subscribe(reader, id)
    await forum.comment(author, id, { content: 'The *first* one' })
    const first = await mails.mailTo(reader.email)
    expect(first.subject).toBe('One: one new post in “Plans”')
    expect(first.text).toContain('Ada: The first one')
    expect(first.text).toContain(`https://forum.example.com/d/${id}`)
    await forum.comment(author, id, { content: 'Stays' })
    const removed = await forum.comment(author, id, { content: 'Goes' })
    const hidden = await forum.comment(author, id, { content: 'Hides' })
    await author.client.delete(`/comments/${removed.id}`)
    await forum.reportOften(hidden.id)
    expect(await mails.countMails(reader.email)).toBe(1)
    await hourLater(id)
    const second = await mails.mailTo(reader.email)
    expect(second.subject).toBe('One: one new post in “Plans”')
    expect(second.text).toContain('Stays')
    expect(second.text).not.toMatch(/Goes|Hides|first/)
    const gone = await forum.comment(author, id)
    await author.client.delete(`/comments/${gone.id}`)
    await hourLater(id)
    expect(await mails.countMails(reader.email)).toBe(2)
    expect(await mails.countMails(author.email)).toBe(0)
  })

  test('waits for its hour by the clock of the test side, and tells what came meanwhile once', async () => {
    const clocked = mails.one.test
    const there = new Forum(clocked)
    await there.category({ name: 'General' })
    await advance(clocked, { days: 365 })
    const author = await there.join()
    const email = `reader${++joined}@example.com`
    const reader = await there.join({ email })
    const { id } = await there.start(author, { title: 'Hours' })
    await subscribe(reader, id)
    await there.comment(author, id, { content: 'First' })
    await mails.mailTo(email)
    await there.comment(author, id, { content: 'Second' })
    await there.comment(author, id, { content: 'Third' })
    expect(await mails.countMails(email)).toBe(1)
    await advance(clocked, { minutes: 59 })
    expect(await mails.countMails(email)).toBe(1)
    await advance(clocked, { minutes: 2 })
    expect((await mails.mailTo(email)).subject).toContain('2 new posts')
    await advance(clocked, { days: 2 })
    expect(await mails.countMails(email)).toBe(2)
  })

  test('is sent to nobody without the plan, of a gated discussion, though they took part in it before', async () => {
    const plan = await forum.side.makePlan()
    const { slug } = await forum.category({ name: 'Gold', required_plans: [plan.id] })
    const [author, insider, outsider] = [
      await join({ plan_id: plan.id }),
      await join({ plan_id: plan.id }),
      await join({ plan_id: plan.id }),
    ]
    const { id } = await forum.start(author, { category: slug })
    for (const each of [insider, outsider]) await subscribe(each, id)
    await forum.side.admin.patch(`/members/${outsider.id}`, { plan_id: (await forum.side.makePlan()).id })
    const stranger = await join()
    const names = `[@a](${insider.id}) [@b](${outsider.id}) [@c](${stranger.id})`
    await forum.comment(author, id, { content: `Secret for ${names}` })
    expect((await mails.mailTo(insider.email)).text).toContain('Secret')
    for (const each of [outsider, stranger]) expect(await mails.countMails(each.email)).toBe(0)
  })

  test('is sent to nobody of a discussion that was removed, and not to inactive members', async () => {
    const [author, reader, inactive] = [await join(), await join(), await join()]
    const { id } = await forum.start(author)
    for (const each of [reader, inactive]) await subscribe(each, id)
    await forum.side.admin.patch(`/members/${inactive.id}`, { status: 'inactive' })
    await forum.comment(author, id)
    await mails.mailTo(reader.email)
    await forum.comment(author, id)
    await author.client.delete(`/discussions/${id}`)
    await hourLater(id)
    expect(await mails.countMails(reader.email)).toBe(1)
    expect(await mails.countMails(inactive.email)).toBe(0)
  })
})

describe('a mention', () => {
  test('is notified once, to whoever is named, and not again when the post is edited', async () => {
    const [author, named] = [await join(), await join({ full_name: 'Grace' })]
    const { id } = await forum.start(author, { content: `What do you say, [@you](${named.id})?` })
    expect((await mails.mailTo(named.email)).text).toContain('What do you say, @Grace?')
    await author.client.patch(`/discussions/${id}`, { content: `And you, [@you](${named.id})?` })
    await forum.comment(author, id, { content: 'Nobody is named here' })
    await hourLater(id)
    expect(await mails.countMails(named.email)).toBe(1)
  })

  test('of a post that waits for a moderator is notified when it is shown, and never when it is removed', async () => {
    const { slug } = await forum.category({ name: 'Careful', moderated: true })
    const [shown, removed, named] = [await join(), await join(), await join()]
    const content = `Hello [@you](${named.id})`
    const good = await forum.start(shown, { category: slug, title: 'Good', content })
    const bad = await forum.start(removed, { category: slug, title: 'Bad', content })
    expect(await mails.countMails(named.email)).toBe(0)
    const { admin } = forum.side
    await admin.post(`/moderation/${(await forum.caseOf(bad.id)).id}/remove`, { reason: 'Spam' })
    await admin.post(`/moderation/${(await forum.caseOf(good.id)).id}/approve`)
    expect((await mails.mailTo(named.email)).subject).toContain('“Good”')
    expect(await mails.countMails(named.email)).toBe(1)
  })
})

describe('unsubscribing', () => {
  /** What a browser or a mail program sends to a link of ours. */
  const ask = (method: string, url: string, body?: string) =>
    fetch(url.replace(mails.api.config.BASE_URL, mails.api.url), {
      method,
      ...(body !== undefined && { body, headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
    })
  const mailed = async () => {
    const [author, reader] = [await join(), await join()]
    const { id } = await forum.start(author, { title: 'A <b>title</b>' })
    await subscribe(reader, id)
    await forum.comment(author, id)
    const { headers, text } = await mails.mailTo(reader.email)
    const url = /^<(https?:\S+)>$/.exec(headers['list-unsubscribe'] ?? '')?.[1] ?? ''
    return { author, reader, id, headers, text, url }
  }
  const isSubscribed = async (id: string, { client }: Visitor) =>
    (await forum.get(id, client)).viewer?.subscribed

  test('takes one click in the mail program (RFC 8058)', async () => {
    const { author, reader, id, headers, text, url } = await mailed()
    expect(headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
    expect(text).toContain(url)
    expect((await ask('POST', url, 'List-Unsubscribe=One-Click')).status).toBe(200)
    expect(await isSubscribed(id, reader)).toBe(false)
    await forum.comment(author, id, { content: `[@you](${reader.id})` })
    await hourLater(id)
    expect(await mails.countMails(reader.email)).toBe(1)
  })

  test('takes a button on the page, which programs that follow links do not press', async () => {
    const { reader, id, url } = await mailed()
    const page = await ask('GET', url)
    const html = await page.text()
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(html).toContain('A &lt;b&gt;title&lt;/b&gt;')
    expect(html).toMatch(/<form method="post"><button/)
    // It looks like the other pages that mails lead to, and says whose it is.
    expect(html).toMatch(/<p class="project">[^<]+<\/p>/)
    expect(page.headers.get('content-security-policy')).toMatch(/style-src 'sha256-[^']+'/)
    expect(await isSubscribed(id, reader)).toBe(true)
    expect((await ask('POST', url, '')).status).toBe(200)
    expect(await isSubscribed(id, reader)).toBe(false)
  })

  test('works after the discussion is gone, and then tells nothing of it; a link that is not ours works never', async () => {
    const { reader, id, url } = await mailed()
    await forum.side.admin.delete(`/discussions/${id}`)
    for (const method of ['GET', 'POST']) {
      const page = await ask(method, url)
      expect(page.status).toBe(200)
      expect(await page.text()).not.toContain('title&lt;')
    }
    await forum.side.admin.delete(`/members/${reader.id}?mode=anonymize`)
    expect((await ask('POST', url)).status).toBe(200)
    const rows = await mails.sql('select 1 from discussion_members where member_id = $1', [
      parseId('member', reader.id),
    ])
    expect(rows).toEqual([])
    const [link, token] = [url.slice(0, url.lastIndexOf('/') + 1), url.slice(url.lastIndexOf('/') + 1)]
    const forged = token
      .replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
      .replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))
    for (const each of [forged, token.slice(1), 'x'])
      for (const method of ['GET', 'POST']) expect((await ask(method, link + each)).status).toBe(404)
  })
})
