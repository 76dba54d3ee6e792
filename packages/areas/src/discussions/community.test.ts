import { describe, expect, test } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import type { Client, Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { withProjects } from '#testkit/with-api.ts'
import type { Comment, CommentWithReplies, Discussion } from './schema.ts'

// What members, moderators and keys do with discussions, over the API.

let api: TestApi
let side: Side

withProjects(async (opened, one) => {
  api = opened
  side = one.live
  await side.admin.post('/discussion-categories', { name: 'General' })
})

interface Member {
  id: string
  client: Client
}
const join = async (input: object = {}): Promise<Member> => {
  const { id } = await side.makeMember(input)
  return { id, client: side.as((await side.signIn(id)).token) }
}
const start = async (client: Client, input: object = {}) =>
  (
    await client.post<{ discussion: Discussion }>('/discussions', {
      ...{ title: 'A title', content: 'Words', category: 'general', ...input },
    })
  ).body.discussion
const comment = async (client: Client, id: string, input: object = {}) =>
  (await client.post<{ comment: Comment }>(`/discussions/${id}/comments`, { content: 'Words', ...input }))
    .body.comment
const get = async (id: string, client = side.admin) =>
  (await client.get<{ data: Discussion }>(`/discussions/${id}`)).body.data
const code = async (answer: Promise<{ status: number; body: unknown }>) => {
  const { status, body } = await answer
  return `${status} ${(body as { code?: string }).code ?? ''}`.trim()
}
const category = async (input: object) => {
  const { body } = await side.admin.post<{ data: { id: string; slug: string } }>(
    '/discussion-categories',
    input,
  )
  return body.data
}

describe('a gated category', () => {
  test('is closed to whoever lacks the plan, in lists, searches, counts and threads', async () => {
    const plan = await side.makePlan()
    const { slug } = await category({ name: 'Gold room', required_plans: [plan.id] })
    const insider = await join({ plan_id: plan.id })
    const outsider = await join()
    const moderator = await join({ role: 'moderator' })
    const visitor = side.as((await side.makeKey({ type: 'public', capabilities: ['catalog'] })).key)
    const { id } = await start(insider.client, { title: 'Quintessence', category: slug })
    const written = await comment(insider.client, id)
    const found = async (client: Client, query: string) =>
      (await client.get<{ data: Discussion[]; pagination: { total: number } }>(`/discussions?${query}`)).body
    for (const [client, sees] of [
      [side.admin, true],
      [insider.client, true],
      [moderator.client, true],
      [outsider.client, false],
      [visitor, false],
    ] as const) {
      for (const query of [`category=${slug}`, 'search=quintessence', 'search=quintesence']) {
        const { data, pagination } = await found(client, query)
        expect([query, data.length, pagination.total]).toEqual([query, sees ? 1 : 0, sees ? 1 : 0])
      }
      for (const path of [`/discussions/${id}`, `/discussions/${id}/comments`])
        expect((await client.get(path)).status).toBe(sees ? 200 : 404)
    }
    const tries: [string, Promise<{ status: number; body: unknown }>][] = [
      ['404 NOT_FOUND', outsider.client.put(`/discussions/${id}/like`)],
      ['404 NOT_FOUND', outsider.client.put(`/comments/${written.id}/like`)],
      ['404 NOT_FOUND', outsider.client.put(`/discussions/${id}/subscription`)],
      ['404 NOT_FOUND', outsider.client.post(`/discussions/${id}/comments`, { content: 'x' })],
      ['422 VALIDATION_ERROR', outsider.client.post('/reports', { target_id: id, reason: 'x' })],
      [
        '422 VALIDATION_ERROR',
        outsider.client.post('/discussions', { title: 'x', content: 'x', category: slug }),
      ],
      [
        '422 VALIDATION_ERROR',
        outsider.client.post('/discussions', { title: 'x', content: 'x', category: 'new' }),
      ],
    ]
    for (const [expected, answer] of tries) expect(await code(answer)).toBe(expected)
  })
})

describe('members', () => {
  test('write as themselves, change their own, and nothing of others', async () => {
    const [author, other] = [await join(), await join()]
    const { id } = await start(side.admin, { author_id: author.id })
    expect(
      await code(other.client.post(`/discussions/${id}/comments`, { content: 'x', author_id: author.id })),
    ).toBe('403 INSUFFICIENT_PERMISSIONS')
    for (const answer of [
      other.client.patch(`/discussions/${id}`, { title: 'x' }),
      other.client.delete(`/discussions/${id}`),
      other.client.post(`/discussions/${id}/pin`, { pinned: true }),
      author.client.post(`/discussions/${id}/lock`, { locked: true }),
      other.client.get(`/discussions/${id}/revisions`),
      other.client.get('/moderation/queue'),
    ])
      expect(await code(answer)).toBe('403 INSUFFICIENT_PERMISSIONS')
    expect(await code(author.client.patch(`/discussions/${id}`, { title: 'Mine' }))).toBe('200')
    expect(await code(side.admin.post(`/discussions/${id}/lock`, { locked: true }))).toBe('200')
    for (const client of [author.client, side.admin])
      expect(
        await code(client.post(`/discussions/${id}/comments`, { content: 'x', author_id: author.id })),
      ).toBe('422 DISCUSSION_LOCKED')
  })

  test('see what is new until they read it, and nothing new where it was removed', async () => {
    const [reader, author] = [await join(), await join()]
    const { id } = await start(author.client)
    await reader.client.get(`/discussions/${id}/comments`)
    const unread = async () => (await get(id, reader.client)).viewer?.unread
    expect(await unread()).toBe(false)
    const written = await comment(author.client, id)
    expect(await unread()).toBe(true)
    expect((await get(id, author.client)).viewer?.unread).toBe(false)
    await author.client.delete(`/comments/${written.id}`)
    expect(await unread()).toBe(false)
  })

  test('leave an empty place where a comment was removed, which lowers the count once', async () => {
    const author = await join()
    const { id } = await start(author.client)
    const first = await comment(author.client, id)
    const answer = await comment(author.client, id, { parent_id: first.id })
    await author.client.post(`/discussions/${id}/answer`, { comment_id: first.id })
    expect(await get(id)).toMatchObject({ comment_count: 2, answer_id: first.id })
    expect((await author.client.delete(`/comments/${first.id}`)).status).toBe(200)
    expect(refusalOf(await author.client.delete(`/comments/${first.id}`))).toBe('404 NOT_FOUND')
    expect(await get(id)).toMatchObject({ comment_count: 1, answer_id: null })
    const { body } = await author.client.get<{ data: CommentWithReplies[] }>(`/discussions/${id}/comments`)
    expect(body.data).toMatchObject([
      {
        id: first.id,
        content: '',
        content_html: '',
        author_id: null,
        status: 'removed',
        replies: [{ id: answer.id }],
      },
    ])
  })

  test('cannot reply to a comment of another discussion, or attach what is no file', async () => {
    const author = await join()
    const [one, two] = [await start(author.client), await start(author.client)]
    const elsewhere = await comment(author.client, two.id)
    for (const input of [
      { parent_id: elsewhere.id },
      { parent_id: 'cmt_x' },
      { attachments: ['file_01jcq3k8f7e8qtk4m3hbw7rn2h'] },
      { content: '> '.repeat(10_000) },
      { content: '' },
    ])
      expect(
        await code(author.client.post(`/discussions/${one.id}/comments`, { content: 'x', ...input })),
      ).toBe('422 VALIDATION_ERROR')
    for (const named of ['!!!', '---', 'gone'])
      expect(
        await code(author.client.post('/discussions', { title: 'x', content: 'x', category: named })),
      ).toBe('422 VALIDATION_ERROR')
    expect(
      await code(
        author.client.post('/discussions', { title: 'a\u202eb', content: 'x', category: 'general' }),
      ),
    ).toBe('422 VALIDATION_ERROR')
  })
})

describe('moderation', () => {
  test('hides what is reported often until it is decided, once, with an audit row', async () => {
    const [author, moderator] = [await join(), await join({ role: 'moderator' })]
    const { id } = await start(author.client, { title: 'Dubious thing' })
    const cases = new Set<string>()
    for (let i = 0; i < 3; i++) {
      const { client } = await join()
      for (const isNew of [true, false]) {
        const { body } = await client.post<{ data: { id: string; is_new: boolean } }>('/reports', {
          ...{ target_id: id, reason: 'spam' },
        })
        if (isNew || i < 2) expect(body.data.is_new).toBe(isNew)
        if (isNew) cases.add(body.data.id)
      }
    }
    expect(cases.size).toBe(1)
    const [caseId] = cases
    expect((await get(id)).status).toBe('pending')
    const outsider = await join()
    expect(refusalOf(await outsider.client.get(`/discussions/${id}`))).toBe('404 NOT_FOUND')
    expect((await outsider.client.get<{ data: [] }>('/discussions?search=dubious')).body.data).toEqual([])
    const queue = await moderator.client.get<{ data: { id: string; report_count: number }[] }>(
      '/moderation/queue',
    )
    expect(queue.body.data).toMatchObject([{ id: caseId, report_count: 3, target_id: id }])
    const first = await moderator.client.post(`/moderation/${caseId}/approve`, { reason: 'Fine' })
    const second = await side.admin.post(`/moderation/${caseId}/approve`, { reason: 'Fine too' })
    expect(second.body).toEqual(first.body)
    expect((await outsider.client.get(`/discussions/${id}`)).status).toBe(200)
    const { rows } = await api.owner.query(
      'select action, actor_id, reason from audit_log where target = $1',
      [id],
    )
    expect(rows).toEqual([{ action: 'moderation.approve', actor_id: moderator.id, reason: 'Fine' }])
  })

  test('keeps the reason of a removal in the audit log, and takes no empty one', async () => {
    const [author, moderator] = [await join(), await join({ role: 'moderator' })]
    const { id } = await start(author.client)
    const written = await author.client.post<{ comment: { id: string } }>(`/discussions/${id}/comments`, {
      content: 'Words',
    })
    const reason = 'Advertising & more'
    const said = `reason=${encodeURIComponent(reason)}`
    for (const path of [`/comments/${written.body.comment.id}`, `/discussions/${id}`]) {
      expect(refusalOf(await side.admin.delete(`${path}?reason=%20`))).toBe('400 INVALID_PARAMETERS')
      expect((await moderator.client.delete(`${path}?${said}`)).status).toBe(200)
      const { rows } = await api.owner.query('select actor_id, reason from audit_log where target = $1', [
        path.split('/').at(-1),
      ])
      expect([path, rows]).toEqual([path, [{ actor_id: moderator.id, reason }]])
    }
  })

  test("holds a member's first post in a moderated category, and no later one", async () => {
    const { slug } = await category({ name: 'Careful', moderated: true })
    const [author, other] = [await join(), await join()]
    const { id } = await start(author.client, { category: slug })
    expect(refusalOf(await other.client.get(`/discussions/${id}`))).toBe('404 NOT_FOUND')
    expect((await author.client.get(`/discussions/${id}`)).status).toBe(200)
    const { body } = await side.admin.get<{ data: { id: string; target_id: string }[] }>('/moderation/queue')
    const waiting = body.data.find(({ target_id }) => target_id === id)
    await side.admin.post(`/moderation/${waiting?.id}/approve`)
    expect((await other.client.get(`/discussions/${id}`)).status).toBe(200)
    expect((await get((await start(author.client, { category: slug })).id)).status).toBe('visible')
  })
})
