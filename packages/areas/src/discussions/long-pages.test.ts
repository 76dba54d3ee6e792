import { describe, expect, test } from 'vitest'
import { parseId } from '#platform/ids.ts'
import type { TestApi } from '#testkit/api.ts'
import { makeProjects } from '#testkit/factories.ts'
import { withOwnApi } from '#testkit/with-api.ts'
import { Forum, taken, type Visitor } from './forum.fixture.ts'
import { discussionId } from './ids.ts'
import type { CommentWithReplies, Discussion } from './schema.ts'

// Answers have a size, whatever members write.

const MOST = 8 * 1024 * 1024
/** Each of these characters takes six bytes of JSON. */
const DENSE = '\u0001'.repeat(50_000)

let api: TestApi
let forum: Forum
let author: Visitor
let discussion: string

interface Page<T> {
  data: T[]
  pagination: { total?: number; next_cursor: string | null }
}
const size = (body: unknown) => Buffer.byteLength(JSON.stringify(body))

withOwnApi(
  () => ({}),
  async (opened) => {
    api = opened
    const [one] = await makeProjects(api)
    forum = new Forum(one.live)
    await forum.category({ name: 'General' })
    author = await forum.join()
    ;({ id: discussion } = await forum.start(author))
    // Twelve comments with ten replies each: 132 texts of 50,000 characters and their HTML.
    await insert(
      `insert into comments (project_id, id, discussion_id, parent_id, author_id, content, content_html, reply_count, status, shown_at, created_at, updated_at)
     select $1, ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $2,
       case when n % 11 > 0 then ('00000000-0000-7000-8000-' || lpad(to_hex(n - n % 11), 12, '0'))::uuid end, $3,
       case when n = 22 then 'A short one' else $4 end, case when n = 22 then '<p>A short one</p>' else '<p>' || $4 || '</p>' end,
       case when n % 11 = 0 then 10 else 0 end, 'visible', now(), now() + n * interval '1 ms', now()
     from generate_series(11, 142) n`,
    )
  },
)

/** Inserts rows at once, without counters. */
async function insert(sql: string): Promise<void> {
  const client = await api.owner.connect()
  await client.query("set session_replication_role = 'replica'")
  await client.query(sql, [
    forum.side.projectId,
    parseId(discussionId, discussion),
    parseId('member', author.id),
    DENSE,
  ])
  await client.query("set session_replication_role = 'origin'")
  client.release()
}

describe('a page of comments that would be over 8 MiB', () => {
  const path = () => `/discussions/${discussion}/comments`

  test('answers its limit where it has a number, with long texts cut and named', async () => {
    const page = taken(await forum.side.admin.get<Page<CommentWithReplies>>(`${path()}?limit=100`))
    expect(size(page)).toBeLessThan(MOST)
    expect(page.data).toHaveLength(12)
    expect(page.data.flatMap(({ replies }) => replies)).toHaveLength(120)
    const [first, short] = page.data
    expect(first?.truncated).toEqual(['content', 'content_html'])
    expect(DENSE.startsWith(first?.content ?? '-')).toBe(true)
    expect(first?.content_html).toBe(`<p>${first?.content}</p>`)
    expect(short).toMatchObject({ content: 'A short one', content_html: '<p>A short one</p>' })
    expect(short).not.toHaveProperty('truncated')
  })

  test('ends early where somebody walks, and the walk has everything whole', async () => {
    const seen: CommentWithReplies[] = []
    let cursor = taken(await forum.side.admin.get<Page<CommentWithReplies>>(`${path()}?limit=1`)).pagination
      .next_cursor
    let pages = 0
    for (; cursor !== null; pages++) {
      const page = taken(
        await forum.side.admin.get<Page<CommentWithReplies>>(`${path()}?limit=100&cursor=${cursor}`),
      )
      expect(size(page)).toBeLessThan(MOST)
      expect(page.data.length).toBeGreaterThan(0)
      seen.push(...page.data)
      cursor = page.pagination.next_cursor
    }
    expect(pages).toBeGreaterThan(5)
    expect(seen).toHaveLength(11)
    expect(new Set(seen.map(({ id }) => id)).size).toBe(11)
    expect(seen.every(({ replies }) => replies.length === 10)).toBe(true)
    expect(seen.flatMap((comment) => [comment, ...comment.replies]).filter((one) => one.truncated)).toEqual(
      [],
    )
    expect(seen[0]?.content).toBe('A short one')
    expect(seen[1]?.content).toBe(DENSE)
  })
})

test('a page of discussions that would be over 8 MiB is cut where it has a number, and ends early where somebody walks', async () => {
  const filter = `author_id=${author.id}&sort=newest`
  await insert(
    `insert into discussions (project_id, id, author_id, category_id, title, content, content_html, status, shown_at, created_at, updated_at,
       last_activity_at)
     select $1, ('00000000-0000-7000-9000-' || lpad(to_hex(n), 12, '0'))::uuid, $3,
       (select category_id from discussions where project_id = $1 and id = $2), 'Long', $4, '<p>' || $4 || '</p>', 'visible',
       now(), now() + n * interval '1 ms', now(), now()
     from generate_series(1, 60) n`,
  )
  const page = taken(await forum.side.admin.get<Page<Discussion>>(`/discussions?limit=50&${filter}`))
  expect(size(page)).toBeLessThan(MOST)
  expect(page.data).toHaveLength(50)
  expect(page.data[0]?.truncated).toEqual(['content', 'content_html'])
  const walked = taken(
    await forum.side.admin.get<Page<Discussion>>(
      `/discussions?limit=50&${filter}&cursor=${taken(await forum.side.admin.get<Page<Discussion>>(`/discussions?limit=1&${filter}`)).pagination.next_cursor}`,
    ),
  )
  expect(size(walked)).toBeLessThan(MOST)
  expect(walked.data.length).toBeLessThan(50)
  expect(walked.data[0]?.content).toBe(DENSE)
  expect(walked.pagination.next_cursor).not.toBeNull()
})
