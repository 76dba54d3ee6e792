import { describe, expect, test } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import type { Client, Side, SignedIn } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { withNewProjects } from '#testkit/with-api.ts'
import type { Feedback, FeedbackItem, NewFeedback } from './schema.ts'

interface One {
  data: FeedbackItem
}
interface List {
  data: FeedbackItem[]
  pagination: { total: number }
}

let api: TestApi
let side: Side
let other: Side
let author: SignedIn
let stranger: SignedIn
let moderator: SignedIn
/** With the capability `catalog`, with `submit`, and with none of the two. */
let visitor: Client
let submitter: Client
let bare: Client

withNewProjects(async (opened, one, two) => {
  api = opened
  side = one.live
  other = two.live
  const member = async (role: string) => side.signIn((await side.makeMember({ role })).id)
  author = await member('member')
  stranger = await member('member')
  moderator = await member('moderator')
  const publicKey = async (capabilities: ('catalog' | 'submit' | 'auth')[]) =>
    side.as((await side.makeKey({ type: 'public', capabilities })).key)
  visitor = await publicKey(['catalog'])
  submitter = await publicKey(['submit'])
  bare = await publicKey(['auth'])
})

const make = async (input: Partial<NewFeedback> = {}, client = side.admin, at = side) => {
  const body = { type: 'feature', message: 'Make it dark', ...input }
  const answer = await client.post<{ feedback: Feedback }>('/feedback', body)
  expect(answer.status).toBe(201)
  const { body: shown } = await at.admin.get<One>(`/feedback/${answer.body.feedback.id}`)
  return shown.data
}
/** `seen`, or why not. */
const see = async (client: Client, id: string) => {
  const answer = await client.get<One>(`/feedback/${id}`)
  return answer.status === 200 ? 'seen' : refusalOf(answer)
}

describe('POST /feedback', () => {
  test('answers the item as the contract says', async () => {
    const input = { type: 'bug', message: 'It breaks', email: 'Ada@Example.com', metadata: { page: '/a' } }
    const { status, body } = await side.admin.post('/feedback', input)
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        success: true,
        feedback: {
          id: expect.stringMatching(/^fb_[0-9a-z]{26}$/),
          type: 'bug',
          message: 'It breaks',
          email: 'Ada@example.com',
          status: 'new',
          created_at: expect.any(String),
        },
      },
    })
  })

  test('answers the title, too, with include=title', async () => {
    const create = async (input: object) =>
      (
        await side.admin.post<{ feedback: Feedback }>('/feedback?include=title', {
          type: 'feature',
          message: 'Make it dark',
          ...input,
        })
      ).body.feedback
    expect(await create({ title: 'A dark theme' })).toMatchObject({ title: 'A dark theme' })
    expect(await create({})).not.toHaveProperty('title')
    const wrong = await side.admin.post('/feedback?include=votes', { type: 'bug', message: 'x' })
    expect(refusalOf(wrong)).toBe('400 INVALID_PARAMETERS')
  })

  test('keeps bugs private and all else public, unless stated otherwise', async () => {
    expect((await make({ type: 'bug' })).visibility).toBe('private')
    expect((await make({ type: 'question' })).visibility).toBe('public')
    expect((await make({ type: 'bug', visibility: 'public' })).visibility).toBe('public')
  })

  test('counts the sender’s vote, by token and by key; nobody’s for a public key', async () => {
    const byToken = await make({}, side.as(author.token))
    expect(byToken).toMatchObject({ vote_count: 1, user_id: author.memberId })
    const byKey = await make({ user_id: author.memberId })
    expect(byKey).toMatchObject({ vote_count: 1, user_id: author.memberId })
    expect(await make({}, submitter)).toMatchObject({ vote_count: 0 })
  })

  test('takes only who may send: the member itself, and nobody named by a public key', async () => {
    const body = { type: 'feature', message: 'x', user_id: author.memberId }
    const send = (client: Client) => client.post('/feedback', body)
    expect((await send(side.as(author.token))).status).toBe(201)
    for (const client of [side.as(stranger.token), submitter, visitor])
      expect(refusalOf(await send(client))).toBe('403 INSUFFICIENT_PERMISSIONS')
    expect(await other.admin.post('/feedback', body)).toMatchObject({
      status: 422,
      body: { code: 'MEMBER_NOT_FOUND' },
    })
    const pending = await side.makeMember({ status: 'pending' })
    const named = await side.admin.post('/feedback', { ...body, user_id: pending.id })
    expect(named).toMatchObject({ status: 422, body: { code: 'MEMBER_INACTIVE' } })
  })
})

describe('who sees an item', () => {
  test('that is public: everybody who may read at all', async () => {
    const { id } = await make({}, side.as(author.token))
    const readers = [side.admin, visitor, ...[author, stranger, moderator].map(({ token }) => side.as(token))]
    for (const reader of readers) expect(await see(reader, id)).toBe('seen')
    expect(await see(bare, id)).toBe('403 INSUFFICIENT_PERMISSIONS')
    expect(await see(other.admin, id)).toBe('404 NOT_FOUND')
    expect(refusalOf(await api.send('GET', `/api/v1/feedback/${id}`))).toBe('401 AUTH_REQUIRED')
    const weak = side.as((await side.makeKey({ permissions: ['read:members'] })).key)
    expect(await see(weak, id)).toBe('403 INSUFFICIENT_PERMISSIONS')
  })

  test('that is private: keys, moderators and the sender; to others it is missing', async () => {
    const { id } = await make({ type: 'bug' }, side.as(author.token))
    for (const reader of [side.admin, side.as(author.token), side.as(moderator.token)])
      expect(await see(reader, id)).toBe('seen')
    for (const reader of [visitor, side.as(stranger.token)])
      expect(await see(reader, id)).toBe('404 NOT_FOUND')
    const listed = async (client: Client) =>
      (await client.get<List>('/feedback?limit=100')).body.data.some((item) => item.id === id)
    expect(await listed(side.admin)).toBe(true)
    expect(await listed(side.as(moderator.token))).toBe(true)
    for (const reader of [visitor, side.as(stranger.token), side.as(author.token)])
      expect(await listed(reader)).toBe(false)
    const vote = await side.as(stranger.token).put(`/feedback/${id}/vote`)
    expect(refusalOf(vote)).toBe('404 NOT_FOUND')
  })

  test('an inactive member sees nothing', async () => {
    const { id } = await make()
    const gone = await side.signIn()
    await side.admin.patch(`/members/${gone.memberId}`, { status: 'inactive' })
    expect(await see(side.as(gone.token), id)).toBe('401 INVALID_TOKEN')
  })

  test('addresses and metadata are for keys alone, and who sent it for the team', async () => {
    const { id } = await make({ email: 'a@example.com', metadata: { a: 1 }, user_id: author.memberId })
    const fields = async (client: Client) => {
      const { data } = (await client.get<One>(`/feedback/${id}`)).body
      return ['email', 'metadata', 'user_id', 'viewer'].filter((field) => field in data)
    }
    expect(await fields(side.admin)).toEqual(['email', 'metadata', 'user_id'])
    expect(await fields(side.as(moderator.token))).toEqual(['user_id', 'viewer'])
    expect(await fields(side.as(author.token))).toEqual(['viewer'])
    expect(await fields(visitor)).toEqual([])
  })
})

describe('who changes an item', () => {
  test('its sender its words, the team everything, nobody else anything', async () => {
    const { id } = await make({}, side.as(author.token))
    const patch = async (client: Client, body: object) => {
      const answer = await client.patch(`/feedback/${id}`, body)
      return answer.status === 200 ? 'changed' : refusalOf(answer)
    }
    expect(await patch(side.as(author.token), { title: 'Dark', message: 'Please' })).toBe('changed')
    expect(await patch(side.as(author.token), { visibility: 'private' })).toBe('403 INSUFFICIENT_PERMISSIONS')
    expect(await patch(side.as(stranger.token), { title: 'No' })).toBe('403 INSUFFICIENT_PERMISSIONS')
    expect(await patch(side.as(moderator.token), { type: 'question', metadata: { a: 1, b: 2 } })).toBe(
      'changed',
    )
    expect(await patch(side.admin, { metadata: { a: null }, title: null })).toBe('changed')
    const { data } = (await side.admin.get<One>(`/feedback/${id}`)).body
    expect(data).toMatchObject({ type: 'question', message: 'Please', metadata: { b: 2 } })
    expect(data).not.toHaveProperty('title')
  })

  test('only the team deletes it, says its status, merges it and sees who voted', async () => {
    const { id } = await make({}, side.as(author.token))
    const { id: into } = await make()
    const tried = async (client: Client) => [
      await client.post(`/feedback/${id}/status`, { status: 'planned' }),
      await client.post(`/feedback/${id}/merge`, { into }),
      await client.get(`/feedback/${id}/voters`),
      await client.get(`/feedback/${id}/status-changes`),
      await client.post(`/feedback/${id}/comments`, { content: 'x', official: true }),
      await client.post(`/feedback/${id}/comments`, { content: 'x', visibility: 'private' }),
      await client.delete(`/feedback/${id}`),
    ]
    for (const client of [side.as(author.token), side.as(stranger.token), visitor])
      expect(new Set((await tried(client)).map(refusalOf))).toEqual(new Set(['403 INSUFFICIENT_PERMISSIONS']))
    const done = await tried(side.as(moderator.token))
    expect(done.map(({ status }) => status)).toEqual([200, 200, 200, 200, 201, 201, 200])
  })
})

describe('GET /feedback', () => {
  test('filters, sorts and counts what the reader may see', async () => {
    const seed = [
      { type: 'feature', title: 'Zebra one', message: 'stripes', user_id: author.memberId },
      { type: 'question', title: 'Zebra two', message: 'dots' },
      { type: 'bug', title: 'Zebra three', message: 'secret stripes' },
    ] as const
    for (const input of seed) await make(input)
    const titles = async (client: Client, query: string) => {
      const { data, pagination } = (await client.get<List>(`/feedback?search=zebra${query}`)).body
      return [data.map(({ title }) => title?.split(' ')[1]).join(' '), pagination.total]
    }
    expect(await titles(side.admin, '')).toEqual(['one three two', 3])
    expect(await titles(side.admin, '&sort=new')).toEqual(['three two one', 3])
    expect(await titles(visitor, '')).toEqual(['one two', 2])
    expect(await titles(visitor, '&visibility=private')).toEqual(['one two', 2])
    expect(await titles(side.admin, '&visibility=private')).toEqual(['three', 1])
    expect(await titles(side.admin, '&type=question')).toEqual(['two', 1])
    expect(await titles(side.admin, '%20STRIPES')).toEqual(['one three', 2])
    expect(await titles(visitor, '%20STRIPES')).toEqual(['one', 1])
    expect(await titles(side.admin, '&status=done')).toEqual(['', 0])
    expect(await titles(side.admin, '&page=2&limit=2')).toEqual(['two', 3])
  })

  test('takes any search for the text that it is', async () => {
    await make({ title: '100% 日本語のテーマ', message: 'O’Neill said "a_b\\c" & (d|e)!' })
    const found = async (text: string) =>
      (await side.admin.get<List>(`/feedback?search=${encodeURIComponent(text)}`)).body.pagination.total
    for (const text of ['100%', '本語', 'テーマ', '"a_b\\c"', '& (d|e)!', 'o’neill', '\\', '語', ' '])
      expect([text, await found(text)]).toEqual([text, expect.any(Number)])
    for (const text of ['%a%', "'; drop table feedback; --", '<->', '!()', '__'])
      expect([text, await found(text)]).toEqual([text, 0])
    expect(refusalOf(await side.admin.get(`/feedback?search=${'x'.repeat(10_000)}`))).toBe(
      '400 INVALID_PARAMETERS',
    )
  })
})

describe('a list', () => {
  test('of 20 long items with `fields` is under 20 KB, with the beginning of each message', async () => {
    const [{ id: known }] = [await side.makeMember()]
    const mention = `[@Ada](${known})`
    for (let i = 0; i < 20; i++)
      await make({ message: `${mention} wish ${i}\n${'long '.repeat(1_900)}`, title: `Wish ${i}` })
    const fields = 'title,excerpt,status,vote_count,created_at'
    const { body } = await side.admin.get<List>(`/feedback?limit=20&fields=${fields}&sort=new`)
    expect(JSON.stringify(body).length).toBeLessThan(20_000)
    expect(body.data).toHaveLength(20)
    expect(Object.keys(body.data[0] ?? {}).sort()).toEqual(['id', ...fields.split(',')].sort())
    const whole = await side.admin.get<List>('/feedback?limit=20&sort=new')
    expect(body.data.map(({ excerpt }) => excerpt)).toEqual(whole.body.data.map(({ excerpt }) => excerpt))
    expect(body.data[0]?.excerpt).toMatch(/^@Member \w{4} wish 19\nlong long/)
    expect(refusalOf(await side.admin.get('/feedback?fields=email,secret'))).toBe('400 INVALID_PARAMETERS')
  })

  test('with `fields` tells a visitor no more than without it', async () => {
    const { id } = await make({ email: 'ada@example.com', metadata: { a: 1 } })
    const { body } = await visitor.get<List>('/feedback?fields=email,metadata,user_id,message')
    expect(body.data.find((item) => item.id === id)).toEqual({ id, message: 'Make it dark' })
  })
})
