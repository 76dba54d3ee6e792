import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { parseId } from '#platform/ids.ts'
import type { TestApi } from '#testkit/api.ts'
import type { Client, Side } from '#testkit/factories.ts'
import { withProjects } from '#testkit/with-api.ts'
import { codeOf, Forum, taken, type Visitor } from '../forum.fixture.ts'
import { discussionId } from '../ids.ts'
import type { Comment, CommentWithReplies, Discussion } from '../schema.ts'

// How an application reads a thread: in which order, from where, and how far.

interface Page<T> {
  data: T[]
  pagination: { page?: number; total?: number; next_cursor: string | null }
}
type Comments = Page<CommentWithReplies>

let api: TestApi
let side: Side
let forum: Forum
let ada: Visitor
let bob: Visitor
let stranger: Client
let other: Side

withProjects(async (opened, first, second) => {
  api = opened
  side = first.live
  forum = new Forum(side)
  await forum.category({ name: 'General' })
  ;[ada, bob] = [await forum.join(), await forum.join()]
  stranger = side.as((await side.makeKey({ type: 'public', capabilities: ['catalog'] })).key)
  other = second.live
})

const size = (body: unknown) => Buffer.byteLength(JSON.stringify(body))
const list = async (id: string, query = '', client = side.admin) =>
  taken(await client.get<Comments>(`/discussions/${id}/comments?${query}`))
const ids = (all: readonly { id: string }[]) => all.map(({ id }) => id)

describe('a page of comments', () => {
  let thread: Discussion
  /** In the order in which they were written. */
  const written: { id: string; parent: string | null; likes: number; position: number }[] = []

  beforeAll(async () => {
    thread = await forum.start(ada)
    // Some at each depth, and one that has more replies than are shown.
    const parents = [-1, -1, 0, 2, 3, 4, -1, 0, -1, 1, ...Array.from({ length: 23 }, () => 6), -1, 10]
    for (const [position, parent] of parents.entries()) {
      const above = written[parent]
      const { id } = await forum.comment(
        position % 2 ? ada : bob,
        thread.id,
        above && { parent_id: above.id },
      )
      written.push({ id, parent: above?.id ?? null, likes: 0, position })
    }
    for (const n of [1, 5, 8]) {
      taken(await ada.client.put<object>(`/comments/${written[n]?.id}/like`))
      ;(written[n] as { likes: number }).likes++
    }
    taken(await bob.client.put<object>(`/comments/${written[8]?.id}/like`))
    ;(written[8] as { likes: number }).likes++
  })

  const SORTS = {
    oldest: (a: (typeof written)[number], b: (typeof written)[number]) => a.position - b.position,
    newest: (a: (typeof written)[number], b: (typeof written)[number]) => b.position - a.position,
    top: (a: (typeof written)[number], b: (typeof written)[number]) =>
      b.likes - a.likes || b.position - a.position,
  }
  /** What a page counts, in its order. */
  function counted(view: 'tree' | 'flat', sort: keyof typeof SORTS, parent?: string) {
    const all = written.filter((each) => view === 'flat' || each.parent === (parent ?? null))
    return ids(all.toSorted(SORTS[sort]))
  }
  const parentOf = (id: string) => written.find((each) => each.id === id)?.parent ?? null
  /** From the upper level down. */
  const pathOf = (id: string): string[] => {
    const parent = parentOf(id)
    return parent === null ? [id] : [...pathOf(parent), id]
  }

  test('is the same page whatever is asked for, by number, by cursor and around a comment, as a naive model says', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          view: fc.constantFrom('tree' as const, 'flat' as const),
          sort: fc.constantFrom('oldest' as const, 'newest' as const, 'top' as const),
          limit: fc.integer({ min: 1, max: 7 }),
          depth: fc.integer({ min: 1, max: 5 }),
          target: fc.nat({ max: written.length - 1 }),
        }),
        async ({ view, sort, limit, depth, target }) => {
          const model = counted(view, sort)
          const query = `view=${view}&sort=${sort}&limit=${limit}&depth=${depth}`
          const walked: string[] = []
          let cursor: string | null = ''
          while (cursor !== null) {
            const page: Comments = await list(thread.id, `${query}${cursor && `&cursor=${cursor}`}`)
            walked.push(...ids(page.data))
            cursor = page.pagination.next_cursor
          }
          expect(walked).toEqual(model)
          const around = written[target]?.id as string
          const root = view === 'flat' ? around : (pathOf(around)[0] as string)
          const number = Math.floor(model.indexOf(root) / limit) + 1
          const page = await list(thread.id, `${query}&around=${around}`)
          expect(page.pagination).toMatchObject({ page: number, total: model.length })
          expect(ids(page.data)).toEqual(model.slice((number - 1) * limit, number * limit))
          const shown = page.data.flatMap((each) => [each.id, ...ids(each.replies)])
          expect(shown).toContain(around)
          const same = await list(thread.id, `${query}&page=${number}`)
          for (const each of same.data) {
            const below = written.filter(({ id }) => pathOf(id).includes(each.id) && id !== each.id)
            const near = below.filter(({ id }) => pathOf(id).length <= depth)
            const expected = view === 'flat' ? [] : ids(near).slice(0, 20)
            expect(ids(each.replies)).toEqual(expected)
          }
        },
      ),
      { numRuns: 25 },
    )
  })

  test('shows a reply never without what it replies to', async () => {
    const page = await list(thread.id, `depth=5&limit=100&around=${written[5]?.id}`)
    for (const each of page.data) {
      const shown = new Set([each.id, ...ids(each.replies)])
      for (const reply of each.replies) expect(shown).toContain(reply.parent_id)
    }
  })

  test('around a reply lists the replies of a comment up to it', async () => {
    const parent = written[6]?.id as string
    const last = written[32]?.id as string
    const page = await list(thread.id, `parent_id=${parent}&limit=5&around=${last}`)
    const model = counted('tree', 'oldest', parent)
    expect(page.pagination.page).toBe(Math.floor(model.indexOf(last) / 5) + 1)
    expect(ids(page.data)).toContain(last)
  })

  test('is refused around what is not there, and together with another place', async () => {
    const elsewhere = await forum.comment(ada, (await forum.start(ada)).id)
    const foreign = new Forum(other)
    await foreign.category({ name: 'General' })
    const author = await foreign.join()
    const theirs = await foreign.comment(author, (await foreign.start(author)).id)
    const path = `/discussions/${thread.id}/comments`
    const of = (query: string) => codeOf(side.admin.get(`${path}?${query}`))
    expect(await of(`around=${elsewhere.id}`)).toBe('404 NOT_FOUND')
    expect(await of(`around=${theirs.id}`)).toBe('404 NOT_FOUND')
    expect(await of('around=cmt_nothing')).toBe('400 INVALID_PARAMETERS')
    expect(await of(`around=${written[0]?.id}&page=2`)).toBe('400 INVALID_PARAMETERS')
    expect(await of(`view=flat&parent_id=${written[0]?.id}`)).toBe('400 INVALID_PARAMETERS')
    expect(await of(`parent_id=${written[1]?.id}&around=${written[2]?.id}`)).toBe('404 NOT_FOUND')
    const { pagination } = await list(thread.id, 'limit=1&sort=newest')
    expect(await of(`cursor=${pagination.next_cursor}`)).toBe('400 INVALID_PARAMETERS')
    expect(await of(`sort=newest&view=flat&cursor=${pagination.next_cursor}`)).toBe('400 INVALID_PARAMETERS')
    const forged = Buffer.from(JSON.stringify(['top', 'many', '2026-01-01', 'x'])).toString('base64url')
    expect(await of(`sort=top&cursor=${forged}`)).toBe('400 INVALID_PARAMETERS')
  })
})

describe('what a member has read', () => {
  const viewerOf = async (id: string, { client }: Visitor) => (await forum.get(id, client)).viewer

  test('is up to the end of the page, and the first unread comment is where to go on', async () => {
    const { id } = await forum.start(ada)
    const all = []
    for (let i = 0; i < 5; i++) all.push(await forum.comment(ada, id))
    expect(await viewerOf(id, bob)).toMatchObject({ unread: true, first_unread_id: all[0]?.id })
    await list(id, 'limit=2', bob.client)
    expect(await viewerOf(id, bob)).toMatchObject({ unread: true, first_unread_id: all[2]?.id })
    await list(id, 'limit=2&sort=newest', bob.client)
    await list(id, 'limit=2', bob.client)
    expect(await viewerOf(id, bob)).toMatchObject({ unread: true, first_unread_id: all[2]?.id })
    const next = await list(id, `limit=2&around=${all[2]?.id}`, bob.client)
    expect(next.pagination.page).toBe(2)
    expect(await viewerOf(id, bob)).toMatchObject({ unread: true, first_unread_id: all[4]?.id })
    await list(id, 'sort=newest', bob.client)
    expect(await viewerOf(id, bob)).toMatchObject({ unread: false, first_unread_id: null })
    expect(await viewerOf(id, ada)).toMatchObject({ unread: false, first_unread_id: null })
  })

  test('is what the application says, never less than before, whatever comes at once', async () => {
    const { id } = await forum.start(ada)
    const all = []
    for (let i = 0; i < 4; i++) all.push(await forum.comment(ada, id))
    const read = (up_to?: string) =>
      bob.client.post<{ data: object }>(`/discussions/${id}/read`, up_to === undefined ? {} : { up_to })
    expect(taken(await read(all[1]?.id)).data).toEqual({ unread: true, first_unread_id: all[2]?.id })
    await Promise.all([read(all[0]?.id), read(all[2]?.id), read(all[1]?.id)])
    expect(await viewerOf(id, bob)).toMatchObject({ first_unread_id: all[3]?.id })
    expect(taken(await read()).data).toEqual({ unread: false, first_unread_id: null })
    const elsewhere = await forum.comment(ada, (await forum.start(ada)).id)
    expect(await codeOf(read(elsewhere.id))).toBe('422 VALIDATION_ERROR')
    expect(await codeOf(read('cmt_nothing'))).toBe('422 VALIDATION_ERROR')
    const byKey = (user: string) =>
      side.admin.post(`/discussions/${id}/read`, {}, { headers: { 'x-user-id': user } })
    expect((await byKey(ada.id)).status).toBe(200)
  })
})

describe('one comment, and those of a member', () => {
  test('are read by whoever may enter the category, and nothing of them where it is hidden', async () => {
    const plan = await side.makePlan()
    const { slug } = await forum.category({ name: 'Gold', required_plans: [plan.id] })
    const insider = await forum.join({ plan_id: plan.id })
    const open = await forum.start(ada)
    const gated = await forum.start(insider, { category: slug })
    const shown = await forum.comment(insider, open.id, { content: 'Open **words**' })
    const closed = await forum.comment(insider, gated.id)
    const removed = await forum.comment(insider, open.id)
    await insider.client.delete(`/comments/${removed.id}`)
    const hidden = await forum.comment(insider, open.id)
    await forum.reportOften(hidden.id)
    const by = async (client: Client, query = '') =>
      ids(taken(await client.get<Page<Comment>>(`/comments?author_id=${insider.id}${query}`)).data)
    const one = async (client: Client, id: string) => (await client.get(`/comments/${id}`)).status
    expect(await by(ada.client)).toEqual([shown.id])
    expect(await by(stranger)).toEqual([shown.id])
    expect(await by(insider.client)).toEqual([closed.id, shown.id])
    expect(await by(insider.client, '&status=pending')).toEqual([hidden.id])
    expect(await by(ada.client, '&status=pending')).toEqual([])
    expect(await by(insider.client, '&status=removed')).toEqual([])
    expect(await by(side.admin)).toEqual([closed.id, shown.id])
    expect(await by(side.admin, '&status=removed')).toEqual([removed.id])
    for (const { client } of [ada, { client: stranger }]) {
      expect(await one(client, shown.id)).toBe(200)
      for (const { id } of [closed, removed, hidden]) expect(await one(client, id)).toBe(404)
    }
    expect(await one(insider.client, hidden.id)).toBe(200)
    expect(await one(other.admin, shown.id)).toBe(404)
    expect(await codeOf(side.admin.get('/comments'))).toBe('400 INVALID_PARAMETERS')
    const answer = await ada.client.get<{ data: Comment }>(`/comments/${shown.id}?include=author`)
    expect(answer.body.data).toMatchObject({ excerpt: 'Open words', author: { id: insider.id } })
    const patched = await insider.client.patch(
      `/comments/${shown.id}`,
      { content: 'New words' },
      { headers: { 'if-match': String(answer.headers['etag']) } },
    )
    expect(patched.status).toBe(200)
    // The whole thread is hidden: nothing of it is listed.
    await forum.reportOften(open.id)
    expect(await by(bob.client)).toEqual([])
    expect(await one(bob.client, shown.id)).toBe(404)
  })
})

describe('a list with `fields`', () => {
  test('of twenty long posts is under 20 KB, with the names of members in its excerpts', async () => {
    const reader = await forum.join()
    taken(await ada.client.patch<object>('/user/profile', { display_name: 'Ada Lovelace' }))
    const content = `[@x](${ada.id}) ${'Long words. '.repeat(1500)}`
    const { id } = await forum.start(ada)
    for (let i = 0; i < 20; i++) {
      await forum.start(bob, { title: `Title ${i}`, content })
      await forum.comment(bob, id, { content })
    }
    const fields = 'fields=id,excerpt,author_id,created_at,likes,viewer'
    const threads = taken(await reader.client.get<Page<Discussion>>(`/discussions?${fields},title`))
    const comments = taken(await reader.client.get<Comments>(`/discussions/${id}/comments?${fields},replies`))
    for (const page of [threads, comments]) {
      expect(page.data).toHaveLength(20)
      expect(size(page)).toBeLessThan(20 * 1024)
      expect(page.data[1]?.excerpt).toMatch(/^@Ada Lovelace Long words\./)
      expect(page.data[0]).not.toHaveProperty('content')
    }
    expect(Object.keys(threads.data[0] ?? {}).toSorted()).toEqual(
      ['author_id', 'created_at', 'excerpt', 'id', 'likes', 'title', 'viewer'].toSorted(),
    )
    const whole = taken(await reader.client.get<Comments>(`/discussions/${id}/comments?fields=content_html`))
    expect(whole.data[0]?.content_html).toContain('>@Ada Lovelace</span>')
    expect(Object.keys(whole.data[0] ?? {}).toSorted()).toEqual(['content_html', 'id'])
    expect(await codeOf(side.admin.get('/discussions?fields=email'))).toBe('400 INVALID_PARAMETERS')
  })
})

test('an answer with the longest names is at most 8 MiB, and shows no mention as it is stored', async () => {
  const loud = await forum.join()
  taken(await loud.client.patch<object>('/user/profile', { display_name: '𐌰'.repeat(50) }))
  const { id } = await forum.start(ada)
  const mention = `[@](${loud.id}) `
  const client = await api.owner.connect()
  await client.query("set session_replication_role = 'replica'")
  await client.query(
    `insert into comments (project_id, id, discussion_id, author_id, content, content_html, excerpt, mentions, status, shown_at,
       created_at, updated_at)
     select $1, ('00000000-0000-7000-8100-' || lpad(to_hex(n), 12, '0'))::uuid, $2, $3, $4, $5, $6, array[$3::uuid], 'visible', now(),
       now() + n * interval '1 ms', now() from generate_series(1, 100) n`,
    [
      ...[side.projectId, parseId(discussionId, id), parseId('member', loud.id)],
      `${mention.repeat(100)}${'x'.repeat(40_000)}${mention.repeat(100)}`,
      `<p>${`<span class="mention" data-member-id="${loud.id}">@</span>`.repeat(100)}${'x'.repeat(40_000)}</p>`,
      mention.repeat(10),
    ],
  )
  await client.query("set session_replication_role = 'origin'")
  client.release()
  const page = await list(id, 'limit=100&include=author', ada.client)
  expect(size(page)).toBeLessThan(8 * 1024 * 1024)
  expect(page.data).toHaveLength(100)
  for (const each of page.data) {
    expect(each.content).not.toMatch(/\[@?\]?\(?(mem_[^)]*)?$|\[@\]\(mem_/)
    expect(each.content_html).not.toMatch(/\[@|>@<\/span>/)
    expect(each.truncated).toEqual(['content', 'content_html'])
  }
})
