import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Forum } from '#areas/discussions/forum.fixture.ts'
import { parseId } from '#platform/ids.ts'
import type { MailEnvironment } from '#testkit/environments/mail-environment.ts'
import type { Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { Readers } from '../readers.fixture.ts'

interface Fault {
  code?: string
  details?: { field: string }[]
}

let readers: Readers
let mails: MailEnvironment
let forum: Forum
let side: Side

beforeAll(async () => {
  readers = await Readers.open()
  ;({ mails, forum, side } = readers)
})
afterAll(() => mails.close())

describe('a mail', () => {
  test('comes at once and then once an hour, with all discussions together, and nothing twice', async () => {
    const [author, reader] = [await readers.join({ full_name: 'Ada' }), await readers.join()]
    const threads = [await forum.start(author, { title: 'One' }), await forum.start(author, { title: 'Two' })]
    for (const { id } of threads) await readers.subscribe(reader, id)
    await forum.comment(author, threads[0]?.id ?? '', { content: 'At once' })
    const first = await mails.mailTo(reader.email)
    expect(first.subject).toMatch(/: Ada replied in “One”: At once$/)
    expect(first.text).toContain(`https://forum.example.com/d/${threads[0]?.id}`)
    for (const { id } of threads) await forum.comment(author, id, { content: 'Later' })
    const removed = await forum.comment(author, threads[1]?.id ?? '', { content: 'Goes' })
    await author.client.delete(`/comments/${removed.id}`)
    await readers.idle()
    expect(await mails.countMails(reader.email)).toBe(1)
    await readers.hourLater(4)
    const second = await mails.mailTo(reader.email)
    expect(second.subject).toMatch(/: 2 notifications$/)
    for (const { title } of threads) expect(second.text).toContain(`“${title}”: Later`)
    expect(second.text).not.toMatch(/At once|Goes/)
    await readers.hourLater()
    expect(await mails.countMails(reader.email)).toBe(2)
    expect(await mails.countMails(author.email)).toBe(0)
  })

  test('comes at 8 in the morning of the member’s time zone, or on Monday, or never, as preferred', async () => {
    const [author, reader] = [await readers.join(), await readers.join()]
    const { id } = await forum.start(author)
    await readers.subscribe(reader, id)
    const dueOf = async () =>
      (
        await mails.sql<{ at: string | null }>(
          `select to_char(mail_at at time zone 'Asia/Tokyo', 'D HH24:MI') as at from notifications
           where member_id = $1 order by id desc limit 1`,
          [parseId('member', reader.id)],
        )
      )[0]?.at
    await readers.prefer(reader.client, { reply: { mail: 'daily' }, time_zone: 'Asia/Tokyo' })
    await forum.comment(author, id)
    await readers.idle()
    expect(await dueOf()).toMatch(/^\d 08:00$/)
    await readers.prefer(reader.client, { reply: { mail: 'weekly' } })
    expect(await dueOf()).toBe('2 08:00')
    await readers.prefer(reader.client, { reply: { mail: 'never' } })
    expect(await dueOf()).toBeNull()
    await forum.comment(author, id)
    await readers.idle()
    expect(await dueOf()).toBeNull()
    await readers.prefer(reader.client, { reply: { in_product: false } })
    await forum.comment(author, id)
    expect(await readers.listOf(reader.client)).toHaveLength(2)
    expect(await mails.countMails(reader.email)).toBe(0)
  })

  test('ends with one click of the mail program for its kinds, or with a button for each kind', async () => {
    const [author, reader] = [await readers.join(), await readers.join()]
    const { id } = await forum.start(author)
    await readers.subscribe(reader, id)
    await readers.prefer(reader.client, { like: { mail: 'now' } })
    const theirs = await forum.comment(reader, id)
    await author.client.put(`/comments/${theirs.id}/like`)
    const { headers } = await mails.mailTo(reader.email)
    expect(headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
    const url = /^<(https?:\S+)>$/.exec(headers['list-unsubscribe'] ?? '')?.[1] ?? ''
    const ask = (method: string, body?: string, token = '') =>
      fetch((url + token).replace(mails.api.config.BASE_URL, mails.api.url), {
        method,
        ...(body !== undefined && { body, headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
      })
    const preferences = async () =>
      (await reader.client.get<{ data: Record<string, { mail: string }> }>('/notifications/preferences')).body
        .data
    const page = await ask('GET')
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('No mails about likes')])
    expect((await preferences()).like?.mail).toBe('now')
    // A kind that the mail did not have is not ended by its link.
    await ask('POST', 'kind=reply')
    expect((await preferences()).reply?.mail).toBe('now')
    expect((await ask('POST', 'List-Unsubscribe=One-Click')).status).toBe(200)
    expect((await preferences()).like?.mail).toBe('never')
    expect((await preferences()).reply?.mail).toBe('now')
    expect((await ask('POST', '', 'x')).status).toBe(404)
    const again = await (await ask('GET')).text()
    expect(again).toContain('You are already unsubscribed')
    expect(again).not.toContain('<form')
    await readers.prefer(reader.client, { like: { mail: 'now' } })
    expect(await (await ask('GET')).text()).toContain('<form')
    await side.admin.delete(`/members/${reader.id}?mode=anonymize`)
    // Who is gone gets no mails, so nothing is asked.
    const gone = await (await ask('GET')).text()
    expect(gone).toContain('You are already unsubscribed')
    expect(gone).not.toContain('<form')
    expect((await ask('POST', '')).status).toBe(200)
    const left = await mails.sql('select 1 from notification_preferences where id = $1', [
      parseId('member', reader.id),
    ])
    expect(left).toEqual([])
  })
})

describe('preferences', () => {
  test('have defaults, change by kind, and refuse kinds, modes and zones that do not exist', async () => {
    const { client } = await readers.join()
    const get = async () =>
      (await client.get<{ data: Record<string, unknown> }>('/notifications/preferences')).body.data
    expect(await get()).toMatchObject({
      time_zone: null,
      reply: { in_product: true, mail: 'now' },
      like: { in_product: true, mail: 'never' },
    })
    await readers.prefer(client, { like: { mail: 'weekly' } })
    await readers.prefer(client, { like: { in_product: false }, mention: { mail: 'daily' } })
    expect(await get()).toMatchObject({
      like: { in_product: false, mail: 'weekly' },
      mention: { in_product: true, mail: 'daily' },
    })
    await readers.prefer(client, { like: { in_product: null, mail: null } })
    expect(await get()).toMatchObject({ like: { in_product: true, mail: 'never' } })
    for (const wrong of [
      { poke: { mail: 'now' } },
      { like: { mail: 'hourly' } },
      { like: 'now' },
      { like: null },
      { time_zone: 'Mars/Base' },
    ])
      expect(await readers.prefer(client, wrong)).toMatchObject({
        status: 422,
        body: { code: 'VALIDATION_ERROR' },
      })
  })

  test('that are changed twice at the same moment are both kept', async () => {
    const headers = { 'x-user-id': await side.member() }
    const modes = ['weekly', 'daily', 'now', 'never'] as const
    for (let round = 0; round < 20; round++) {
      const [mail, in_product] = [modes[round % modes.length], round % 2 === 0]
      const changes = [{ like: { mail } }, { reply: { mail } }, { like: { in_product } }]
      await Promise.all(
        changes.map((change) => side.admin.patch('/notifications/preferences', change, { headers })),
      )
      const { body } = await side.admin.get<{ data: object }>('/notifications/preferences', { headers })
      expect(body.data).toMatchObject({ like: { mail, in_product }, reply: { mail } })
    }
  })
})

describe('a message of the project', () => {
  const send = (body: object, key = side.key) =>
    side.as(key).post<{ data: { id: string } } & Fault>('/notifications', body)

  test('reaches the named members, or everybody on a plan, each once', async () => {
    const plan = await side.makePlan()
    const [named, onPlan, inactive] = [
      await readers.join(),
      await readers.join({ plan_id: plan.id }),
      await readers.join({ plan_id: plan.id }),
    ]
    await side.admin.patch(`/members/${inactive.id}`, { status: 'inactive' })
    const url = 'https://example.com/courses'
    expect((await send({ text: 'Hello', url, member_ids: [named.id, named.id] })).status).toBe(201)
    expect((await send({ text: 'To gold', plan_id: plan.id })).status).toBe(201)
    const [hello, ...rest] = await readers.listOf(named.client)
    expect(rest).toEqual([])
    expect(hello).toMatchObject({
      kind: 'message',
      text: 'Hello',
      actors: [],
      count: 0,
      target: { type: 'message', title: null, url },
    })
    expect((await mails.mailTo(named.email)).text).toContain(url)
    expect((await readers.listOf(onPlan.client)).map(({ text }) => text)).toEqual(['To gold'])
    expect(await mails.countMails(inactive.email)).toBe(0)
  })

  test('is refused without whom it is for, to strangers, with an address that is none, and by members', async () => {
    const { id, client } = await readers.join()
    const stranger = await mails.other.live.member()
    for (const [wrong, field] of [
      [{ text: 'Hi' }, 'member_ids'],
      [{ text: 'Hi', member_ids: [id], plan_id: 'plan_x' }, 'member_ids'],
      [{ text: 'Hi', member_ids: [id, stranger] }, 'member_ids[1]'],
      [{ text: 'Hi', plan_id: (await mails.other.live.makePlan()).id }, 'plan_id'],
      [{ text: 'Hi', plan_id: 'plan_x' }, 'plan_id'],
      [{ text: ' ', member_ids: [id] }, 'text'],
      [{ text: 'Hi', member_ids: [id], url: 'javascript:alert(1)' }, 'url'],
    ] as const) {
      const { status, body } = await send(wrong)
      expect([status, body.details?.[0]?.field]).toEqual([422, field])
    }
    expect(refusalOf(await client.post('/notifications', { text: 'Hi', member_ids: [id] }))).toBe(
      '403 INSUFFICIENT_PERMISSIONS',
    )
    expect(await readers.listOf(client)).toEqual([])
  })
})
