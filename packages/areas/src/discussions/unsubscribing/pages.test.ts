import { describe, expect, test } from 'vitest'
import { parseId } from '#platform/ids.ts'
import type { TestApi } from '#testkit/api.ts'
import { makeProjects } from '#testkit/factories.ts'
import { withApi } from '#testkit/with-api.ts'
import { Forum, type Visitor } from '../forum.fixture.ts'
import { discussionId } from '../ids.ts'
import { discussionLinks } from './unsubscribe.ts'

// Mails have such links no more; those of earlier mails work for good.

let api: TestApi
let forum: Forum

withApi(async (opened) => {
  api = opened
  const [one] = await makeProjects(api)
  forum = new Forum(one.live)
  await forum.category({ name: 'General' })
})

let joined = 0
const join = () => forum.join({ email: `reader${++joined}@example.com` })
const subscribe = ({ client }: Visitor, id: string) => client.put(`/discussions/${id}/subscription`)

describe('unsubscribing', () => {
  /** What a browser or a mail program sends to a link of ours. */
  const ask = (method: string, url: string, body?: string) =>
    fetch(url.replace(api.config.BASE_URL, api.url), {
      method,
      ...(body !== undefined && { body, headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
    })
  const mailed = async () => {
    const [author, reader] = [await join(), await join()]
    const { id } = await forum.start(author, { title: 'A <b>title</b>' })
    await subscribe(reader, id)
    const ids = [forum.side.projectId, parseId(discussionId, id) ?? '', parseId('member', reader.id) ?? '']
    const url = discussionLinks(api.config).linkFor(ids)
    return { reader, id, url }
  }
  const isSubscribed = async (id: string, { client }: Visitor) =>
    (await forum.get(id, client)).viewer?.subscribed

  test('takes one click in the mail program (RFC 8058)', async () => {
    const { reader, id, url } = await mailed()
    expect((await ask('POST', url, 'List-Unsubscribe=One-Click')).status).toBe(200)
    expect(await isSubscribed(id, reader)).toBe(false)
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
    const again = await (await ask('GET', url)).text()
    expect(again).toContain('You are already unsubscribed')
    expect(again).not.toContain('<form')
    await subscribe(reader, id)
    expect(await (await ask('GET', url)).text()).toContain('<form')
  })

  test('leads back to the project, also by a link that lacks a part', async () => {
    const home = 'https://guild.example'
    await api.owner.query('update projects set allowed_origins = $2 where id = $1', [
      forum.side.projectId,
      [home],
    ])
    const { url } = await mailed()
    await ask('POST', url, '')
    for (const link of [url, url.slice(0, -5)])
      expect(await (await ask('GET', link)).text()).toContain(`<a href="${home}">Back to `)
    const invented = url.replace(/[^/]+$/, 'invented-token')
    expect(await (await ask('GET', invented)).text()).toContain('Please open the link in the mail again')
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
    // Who is gone gets no mails, so nothing is asked.
    expect(await (await ask('GET', url)).text()).not.toContain('<form')
    expect((await ask('POST', url)).status).toBe(200)
    const { rows } = await api.owner.query('select 1 from discussion_members where member_id = $1', [
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
