import { describe, expect, test } from 'vitest'
import { attachFile } from '#areas/storage/service.ts'
import { parseId } from '#platform/ids.ts'
import type { TestApi } from '#testkit/api.ts'
import { makeFileRow } from '#testkit/areas/storage/files.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { withProjects } from '#testkit/with-api.ts'
import { commentId } from './ids.ts'
import type { Comment, CommentWithReplies, Discussion } from './schema.ts'

interface One<T> {
  data: T
  code?: string
}
interface Page<T> {
  data: T[]
  pagination: { total?: number; next_cursor: string | null; total_capped?: boolean }
}

let api: TestApi
let side: Side
let member: string

withProjects(async (opened, one) => {
  api = opened
  side = one.live
  member = await side.member()
})

const start = async (input: object = {}) =>
  (
    await side.admin.post<{ discussion: Discussion }>('/discussions', {
      ...{ title: 'A title', content: 'Some *words*', category: 'general', author_id: member },
      ...input,
    })
  ).body.discussion
const get = async (id: string) => (await side.admin.get<One<Discussion>>(`/discussions/${id}`)).body.data

describe('a discussion', () => {
  test('is started with a key in the name of a member, and answers what the reference says', async () => {
    const { status, body } = await side.admin.post<{ discussion: Discussion }>('/discussions', {
      ...{ title: 'Hello', content: 'I am *new*', category: 'Introductions', author_id: member },
    })
    expect([status, body]).toEqual([
      201,
      {
        success: true,
        discussion: {
          id: body.discussion.id,
          title: 'Hello',
          content: 'I am *new*',
          author_id: member,
          category: 'introductions',
          likes: 0,
          created_at: body.discussion.created_at,
          category_created: true,
        },
      },
    ])
    expect(await get(body.discussion.id)).toMatchObject({
      content_html: '<p>I am <em>new</em></p>\n',
      comment_count: 0,
      status: 'visible',
      answer_id: null,
      is_pinned: false,
      is_locked: false,
      edited_at: null,
    })
  })

  test('is edited by staff, and its earlier version is kept', async () => {
    const { id } = await start()
    const { body } = await side.admin.patch<One<Discussion>>(`/discussions/${id}`, { content: 'Other words' })
    expect(body.data).toMatchObject({
      content: 'Other words',
      content_html: '<p>Other words</p>\n',
      title: 'A title',
    })
    expect(body.data.edited_at).not.toBeNull()
    const revisions = await side.admin.get<Page<{ content: string }>>(`/discussions/${id}/revisions`)
    expect(revisions.body.data).toMatchObject([
      { title: 'A title', content: 'Some *words*', author_id: member },
    ])
  })
})

test('files that a post no longer names are deleted, and those that others name stay', async () => {
  const [one, two, shared] = [await makeFileRow(side), await makeFileRow(side), await makeFileRow(side)]
  const exists = async () =>
    Promise.all(
      [one, two, shared].map(async ({ id }) => (await side.admin.get(`/storage/files/${id}`)).status),
    )
  const thread = await start({ attachments: [one.id, shared.id] })
  const { body } = await side.admin.post<{ comment: Comment }>(`/discussions/${thread.id}/comments`, {
    ...{ content: 'x', author_id: member, attachments: [two.id] },
  })
  // As an import leaves it: a file of two posts.
  const target = parseId(commentId, body.comment.id)
  await side.write((ctx) => {
    const file_id = parseId('file', shared.id) ?? ''
    attachFile(ctx, file_id, { kind: 'comment', id: target ?? '' })
  })
  await side.admin.patch(`/discussions/${thread.id}`, { title: 'Another title' })
  expect(await exists()).toEqual([200, 200, 200])
  await side.admin.patch(`/discussions/${thread.id}`, { attachments: [] })
  expect(await exists()).toEqual([404, 200, 200])
  await side.admin.patch(`/comments/${body.comment.id}`, { attachments: [two.id] })
  expect(await exists()).toEqual([404, 200, 404])
})

describe('comments', () => {
  test('are two levels with replies, and go on below', async () => {
    const { id } = await start()
    const write = async (content: string, parent_id?: string) =>
      (
        await side.admin.post<{ comment: Comment }>(`/discussions/${id}/comments`, {
          ...{ content, author_id: member },
          ...(parent_id && { parent_id }),
        })
      ).body.comment
    const first = await write('first')
    const reply = await write('reply', first.id)
    const deep = await write('deep', reply.id)
    await write('second')
    const { body } = await side.admin.get<Page<CommentWithReplies>>(`/discussions/${id}/comments?limit=1`)
    expect(body.data.map(({ content, replies }) => [content, replies.map((each) => each.content)])).toEqual([
      ['first', ['reply']],
    ])
    expect(body.data[0]?.replies[0]).toMatchObject({ reply_count: 1, parent_id: first.id })
    expect(body.pagination).toMatchObject({ total: 2 })
    const next = await side.admin.get<Page<CommentWithReplies>>(
      `/discussions/${id}/comments?limit=1&cursor=${body.pagination.next_cursor}`,
    )
    expect(next.body.data.map(({ content }) => content)).toEqual(['second'])
    expect(next.body.pagination).toEqual({ limit: 1, next_cursor: null })
    const below = await side.admin.get<Page<CommentWithReplies>>(
      `/discussions/${id}/comments?parent_id=${reply.id}`,
    )
    expect(below.body.data.map((each) => each.id)).toEqual([deep.id])
    expect(await get(id)).toMatchObject({ comment_count: 4 })
  })
})

describe('lists', () => {
  test('are in the order of each sort, and walk without gaps', async () => {
    const [, other] = await makeProjects(api)
    const own = other.live
    const author = await own.member()
    const ids: string[] = []
    for (let i = 0; i < 5; i++) {
      const { body } = await own.admin.post<{ discussion: Discussion }>('/discussions', {
        ...{ title: `Number ${i}`, content: 'x', category: i % 2 ? 'odd' : 'even', author_id: author },
      })
      ids.push(body.discussion.id)
    }
    const headers = { 'x-user-id': author }
    await own.admin.put(`/discussions/${ids[1]}/like`, undefined, { headers })
    await own.admin.post(`/discussions/${ids[0]}/pin`, { pinned: true })
    await own.admin.post(`/discussions/${ids[2]}/comments`, { content: 'x', author_id: author })
    const order = async (query: string) => {
      const { body } = await own.admin.get<Page<Discussion>>(`/discussions?${query}`)
      return body.data.map(({ id }) => ids.indexOf(id))
    }
    const expected: [string, number[]][] = [
      ['', [0, 2, 4, 3, 1]],
      ['sort=latest', [0, 2, 4, 3, 1]],
      ['sort=newest', [4, 3, 2, 1, 0]],
      ['sort=top', [1, 4, 3, 2, 0]],
      ['sort=unanswered', [4, 3, 1, 0, 2]],
      ['category=odd', [3, 1]],
      ['category=none', []],
      ['pinned=true', [0]],
      [`author_id=${author}&sort=newest&limit=2&page=2`, [2, 1]],
      ['search=number 3', [3]],
    ]
    for (const [query, found] of expected) expect([query, await order(query)]).toEqual([query, found])
    for (const sort of ['latest', 'newest', 'top', 'unanswered']) {
      const walked: string[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const { body }: { body: Page<Discussion> } = await own.admin.get<Page<Discussion>>(
          `/discussions?sort=${sort}&limit=2${cursor && `&cursor=${cursor}`}`,
        )
        walked.push(...body.data.map(({ id }) => id))
        cursor = body.pagination.next_cursor
      }
      expect([sort, walked.map((id) => ids.indexOf(id))]).toEqual([sort, await order(`sort=${sort}`)])
    }
    const { body } = await own.admin.get<Page<Discussion>>('/discussions?limit=2')
    expect(body.pagination).toMatchObject({ total: 5, total_pages: 3 })
  })
})
