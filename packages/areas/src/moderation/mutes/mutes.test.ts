import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codeOf, type Forum, taken, type Visitor } from '#areas/discussions/forum.fixture.ts'
import type { Comment, Discussion } from '#areas/discussions/schema.ts'
import { Readers } from '#areas/notifications/readers.fixture.ts'
import { parseId } from '#platform/ids.ts'
import type { MailEnvironment } from '#testkit/environments/mail-environment.ts'
import type { Client, Side } from '#testkit/factories.ts'

let readers: Readers
let mails: MailEnvironment
let side: Side
let forum: Forum

beforeAll(async () => {
  readers = await Readers.open()
  ;({ mails, side, forum } = readers)
})
afterAll(() => mails.close())

interface Mutes {
  data: { member_id: string; muted_at: string }[]
  pagination: { total: number }
}
const mute = ({ client }: Visitor, { id }: { id: string }) => client.put<object>(`/user/mutes/${id}`)
const unmute = ({ client }: Visitor, { id }: { id: string }) => client.delete<object>(`/user/mutes/${id}`)
const mutesOf = async ({ client }: Visitor) => taken(await client.get<Mutes>('/user/mutes'))
const commentsOf = async (client: Client, id: string) =>
  taken(await client.get<{ data: (Comment & { replies: Comment[] })[] }>(`/discussions/${id}/comments`)).data
const join2 = async () => [await readers.join(), await readers.join()] as const

describe('a muted member', () => {
  test('is folded in lists for whoever muted, and for nobody else; a discussion that is opened is whole', async () => {
    const [reader, loud] = await join2()
    const { id } = await forum.start(loud, { title: 'Loud', content: 'LOUD WORDS' })
    const said = await forum.comment(loud, id, { content: 'LOUD COMMENT' })
    const reply = await forum.comment(reader, id, { content: 'A reply', parent_id: said.id })
    await forum.comment(loud, id, { content: 'LOUD REPLY', parent_id: reply.id })
    expect(taken(await mute(reader, loud))).toMatchObject({ data: { muted: true } })
    const list = async (client: Client) =>
      taken(await client.get<{ data: Discussion[] }>('/discussions')).data.find((each) => each.id === id)
    expect(await list(reader.client)).toMatchObject({
      ...{ title: 'Loud', content: '', content_html: '', author_id: loud.id },
      viewer: { muted: true },
    })
    expect(await forum.get(id, reader.client)).toMatchObject({
      content: 'LOUD WORDS',
      viewer: { muted: true },
    })
    const [comment] = await commentsOf(reader.client, id)
    expect(comment).toMatchObject({
      ...{ content: '', author_id: loud.id, viewer: { muted: true } },
      replies: [{ content: 'A reply', viewer: { muted: false } }],
    })
    expect(JSON.stringify(await commentsOf(reader.client, id))).not.toContain('LOUD')
    for (const client of [loud.client, side.admin]) {
      expect((await list(client))?.content).toBe('LOUD WORDS')
      expect((await commentsOf(client, id))[0]?.content).toBe('LOUD COMMENT')
    }
    taken(await unmute(reader, loud))
    expect((await list(reader.client))?.content).toBe('LOUD WORDS')
  })

  test('notifies neither of the two: no reply, mention or like', async () => {
    const [reader, loud] = await join2()
    taken(await mute(reader, loud))
    const talk = async (one: Visitor, other: Visitor) => {
      const { id } = await forum.start(one)
      await forum.comment(other, id, { content: `Hi [@a](${one.id})` })
      taken(await other.client.put(`/discussions/${id}/like`))
    }
    await talk(reader, loud)
    await talk(loud, reader)
    expect(await readers.listOf(reader.client)).toEqual([])
    expect(await readers.listOf(loud.client)).toEqual([])
    taken(await unmute(reader, loud))
    await talk(reader, loud)
    expect((await readers.listOf(reader.client)).map(({ kind }) => kind).sort()).toEqual(['like', 'mention'])
  })
})

describe('what a muted member writes', () => {
  test('is folded in every list of feedback, and whole where it is opened', async () => {
    const [reader, loud] = await join2()
    const sent = { type: 'feature', title: 'Quiet title', message: 'LOUD WISH' }
    const { feedback } = taken(await loud.client.post<{ feedback: { id: string } }>('/feedback', sent))
    const path = `/feedback/${feedback.id}`
    taken(await loud.client.post<object>(`${path}/comments`, { content: 'LOUD COMMENT' }))
    taken(await side.admin.post<object>(`${path}/status`, { status: 'done' }))
    taken(await mute(reader, loud))
    for (const list of [
      ...['/feedback', `${path}/comments`, '/roadmap', '/changelog', '/feedback/similar?title=Quiet%20title'],
      '/feedback?include=author&fields=id,message,excerpt',
    ]) {
      const of = async (client: Client) => JSON.stringify(taken(await client.get<object>(list)))
      expect([list, await of(reader.client)]).toEqual([list, expect.not.stringContaining('LOUD')])
      expect([list, await of(side.admin)]).toEqual([list, expect.stringContaining('LOUD')])
    }
    const { data } = taken(await reader.client.get<{ data: object[] }>('/feedback'))
    expect(data).toContainEqual(
      expect.objectContaining({
        id: feedback.id,
        title: 'Quiet title',
        viewer: { voted: false, muted: true },
      }),
    )
    expect(taken(await reader.client.get<{ data: object }>(path)).data).toMatchObject({
      message: 'LOUD WISH',
    })
  })

  test('is found without a snippet, also among comments and feedback', async () => {
    const [reader, loud] = await join2()
    const { id } = await forum.start(loud, { title: 'Zebra crossing', content: 'LOUD zebra' })
    await forum.comment(loud, id, { content: 'LOUD zebra again' })
    const wish = { type: 'feature', title: 'Zebra wish', message: 'LOUD zebra wish' }
    taken(await loud.client.post<object>('/feedback', wish))
    taken(await mute(reader, loud))
    const found = async (client: Client) =>
      taken(await client.get<{ data: { type: string }[] }>('/search?q=zebra&limit=100')).data
    expect((await found(reader.client)).map(({ type }) => type).toSorted()).toEqual([
      ...['comment', 'discussion', 'feedback'],
    ])
    expect(JSON.stringify(await found(reader.client))).not.toContain('LOUD')
    expect(JSON.stringify(await found(side.admin))).toContain('LOUD')
  })

  test('is no longer quoted by notifications and mentions of before', async () => {
    const [reader, loud] = await join2()
    const { id } = await forum.start(reader, { title: 'A calm title' })
    await forum.comment(loud, id, { content: 'LOUD REPLY' })
    await forum.comment(loud, id, { content: `LOUD [@x](${reader.id})` })
    const texts = async () => (await readers.listOf(reader.client)).map(({ text }) => text)
    expect((await texts()).every((text) => text.includes('LOUD'))).toBe(true)
    expect(await texts()).toHaveLength(2)
    taken(await mute(reader, loud))
    expect(JSON.stringify(await texts())).not.toContain('LOUD')
    expect((await texts()).every((text) => text.includes('A calm title'))).toBe(true)
  })
})

describe('the list of mutes', () => {
  test('is the member’s own; muting twice, or at once, is one mute', async () => {
    const [reader, loud] = await join2()
    const answers = await Promise.all([1, 2, 3, 4].map(() => mute(reader, loud)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await mutesOf(reader)).toMatchObject({ data: [{ member_id: loud.id }], pagination: { total: 1 } })
    expect((await mutesOf(loud)).data).toEqual([])
    await unmute(reader, loud)
    expect((await unmute(reader, loud)).status).toBe(200)
    expect((await mutesOf(reader)).data).toEqual([])
  })

  test('takes neither the member, nor a deleted one, nor one of another project', async () => {
    const [reader, gone] = await join2()
    const { id: foreign } = await mails.other.live.makeMember()
    taken(await side.admin.delete<object>(`/members/${gone.id}`))
    expect(await codeOf(mute(reader, reader))).toBe('400 INVALID_PARAMETERS')
    expect(await codeOf(mute(reader, gone))).toBe('404 NOT_FOUND')
    expect(await codeOf(mute(reader, { id: foreign }))).toBe('404 NOT_FOUND')
  })

  test('has at most 1,000 members, also if the last ones are muted at once', async () => {
    const reader = await readers.join()
    const others = await Promise.all([1, 2, 3].map(() => readers.join()))
    await mails.sql(
      `with made as (
         insert into members (project_id, id, email, full_name, role, status, plan_id, plan_version, metadata, created_at, updated_at)
         select project_id, gen_random_uuid(), 'muted' || n || '@example.com', '', role, status, plan_id, plan_version,
           metadata, created_at, updated_at
         from members, generate_series(1, 999) n where id = $1 returning project_id, id)
       insert into mutes (project_id, id, member_id, muted_id, created_at)
         select project_id, gen_random_uuid(), $1, id, now() from made`,
      [parseId('member', reader.id)],
    )
    const answers = await Promise.all(others.map((other) => codeOf(mute(reader, other))))
    expect(answers.sort()).toEqual(['200', '422 LIMIT_REACHED', '422 LIMIT_REACHED'])
  })

  test('is erased with either member', async () => {
    const [one, two] = await join2()
    taken(await mute(one, two))
    taken(await mute(two, one))
    taken(await side.admin.delete<object>(`/members/${one.id}?mode=anonymize`))
    expect((await mutesOf(two)).data).toEqual([])
  })
})
