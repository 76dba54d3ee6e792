import { beforeAll, describe, expect, test } from 'vitest'
import { parseId } from '#platform/ids.ts'
import type { TestApi } from '#testkit/api.ts'
import { plansOf } from '#testkit/areas/plans.ts'
import { type Client, makeProjects } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { statementsOf } from '#testkit/statements.ts'
import { withOwnApi } from '#testkit/with-api.ts'
import { Forum, taken, type Visitor } from './forum.fixture.ts'
import { discussionId } from './ids.ts'
import type { CommentWithReplies, Discussion } from './schema.ts'

// What lists cost, and what can be searched for.

let api: TestApi
let forum: Forum
let author: Visitor
/** Whom no limit of members' requests stops. */
let visitor: Client

withOwnApi(
  () => ({}),
  async (opened) => {
    api = opened
    const [one] = await makeProjects(api)
    forum = new Forum(one.live)
    await forum.category({ name: 'General' })
    author = await forum.join()
    visitor = one.live.as((await one.live.makeKey({ type: 'public', capabilities: ['catalog'] })).key)
  },
)

interface Page<T> {
  data: T[]
  pagination: { total?: number; next_cursor: string | null }
}

test('a list of twenty costs as many statements as a list of one', async () => {
  const { id } = await forum.start(author)
  const key = { client: forum.side.admin }
  const author_id = author.id
  for (let i = 0; i < 19; i++) await forum.start(key, { title: `Words ${i}`, author_id })
  for (let i = 0; i < 20; i++) await forum.comment(key, id, { author_id })
  const lists = ['/discussions?', '/discussions?search=words&', `/discussions/${id}/comments?`]
  for (const client of [forum.side.admin, author.client])
    for (const list of lists) {
      const asked = (limit: number) => statementsOf(() => client.get(`${list}limit=${limit}`))
      await asked(1)
      const one = await asked(1)
      expect(one).toBeGreaterThan(0)
      expect([list, await asked(20)]).toEqual([list, one])
    }
})

describe('a discussion of 10,000 comments', () => {
  const MANY = 10_000
  let id: string
  beforeAll(async () => {
    ;({ id } = await forum.start(author))
    // Written at once and without triggers: counters are not what is tried here.
    const client = await api.owner.connect()
    await client.query("set session_replication_role = 'replica'")
    await client.query(
      `insert into comments (project_id, id, discussion_id, author_id, content, content_html, shown_at, created_at, updated_at)
       select d.project_id, ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, d.id, d.author_id,
         'Words ' || n, '<p>Words</p>', now(), now(), now()
       from discussions d, generate_series(1, $2::int) n where d.id = $1`,
      [parseId(discussionId, id), MANY],
    )
    await client.query("set session_replication_role = 'origin'")
    client.release()
    await api.owner.query('vacuum analyze comments')
  })

  test('is walked to its end without gaps, each page at the cost of the first', async () => {
    const path = `/discussions/${id}/comments?limit=100`
    const seen = new Set<string>()
    const costs: number[] = []
    let cursor: string | null = ''
    for (let page = 0; cursor !== null; page++) {
      let answer: Page<CommentWithReplies> | undefined
      const ask = async () => {
        answer = taken(await visitor.get<Page<CommentWithReplies>>(`${path}${cursor && `&cursor=${cursor}`}`))
      }
      if (page % 33 === 1) {
        const plans = await plansOf(api, forum.side.projectId, ask)
        expect(plans.some(({ label }) => label.startsWith('comments'))).toBe(true)
        costs.push(plans.reduce((sum, { pages }) => sum + pages, 0))
        for (const { plan } of plans) expect(plan).not.toContain('Seq Scan on comments')
      } else await ask()
      for (const comment of answer?.data ?? []) seen.add(comment.id)
      cursor = answer?.pagination.next_cursor ?? null
    }
    expect(seen.size).toBe(MANY)
    expect(costs.length).toBeGreaterThan(2)
    expect(Math.max(...costs)).toBeLessThan(1.3 * (costs[0] ?? 0))
  })
})

describe('a search of discussions', () => {
  const TYPED = [
    ...[
      '\'"&|!()<->',
      "'",
      '"',
      '\\',
      ':*',
      '%_',
      '<->',
      'a & | b',
      '"never closed',
      '-',
      '!!!',
      'or',
      'the',
    ],
    ...['a', '字', '🙂', ' ', "'); drop table discussions; --", 'x'.repeat(200)],
  ]

  test.each(TYPED)('takes %j, in discussions and feedback', async (text) => {
    for (const list of ['/discussions', '/feedback'])
      for (const client of [visitor, forum.side.admin]) {
        const { status } = await client.get(`${list}?search=${encodeURIComponent(text)}`)
        expect([list, status]).toEqual([list, 200])
      }
  })

  test('finds a discussion by a title that was changed alone, no more by the one before, and still by its text', async () => {
    const content = 'A **zither** & a lute'
    const { id } = await forum.start(author, { title: 'Glockenspiel', content })
    await author.client.patch(`/discussions/${id}`, { title: 'Harpsichord' })
    const found = async (text: string) =>
      (await visitor.get<Page<Discussion>>(`/discussions?search=${text}`)).body.data.map((each) => each.id)
    expect([await found('Harpsichord'), await found('Glockenspiel'), await found('zither')]).toEqual([
      [id],
      [],
      [id],
    ])
  })

  test('refuses nothing to search for, and 10,000 letters', async () => {
    for (const list of ['/discussions', '/feedback'])
      for (const text of ['', 'x'.repeat(10_000)])
        expect(refusalOf(await visitor.get(`${list}?search=${text}`))).toBe('400 INVALID_PARAMETERS')
  })

  test('finds parts of texts without spaces, one letter, and titles with a wrong letter in any script', async () => {
    const { id } = await forum.start(author, { title: '如何重置密码', content: '打开设置并选择密码' })
    const russian = await forum.start(author, { title: 'Как сбросить пароль' })
    const one = await forum.start(author, { title: 'Q' })
    const found = async (text: string) =>
      (await visitor.get<Page<Discussion>>(`/discussions?search=${encodeURIComponent(text)}`)).body.data.map(
        (each) => each.id,
      )
    expect(await found('重置')).toEqual([id])
    expect(await found('设置')).toEqual([id])
    expect(await found('сбросит пороль')).toEqual([russian.id])
    expect(await found('q')).toEqual([one.id])
  })

  test('finds nothing of a post that was removed, is hidden, or lies behind a gate', async () => {
    const plan = await forum.side.makePlan()
    const { slug } = await forum.category({ name: 'Gold', required_plans: [plan.id] })
    const insider = await forum.join({ plan_id: plan.id })
    const gated = await forum.start(insider, { category: slug, title: 'Xylophone gated' })
    const removed = await forum.start(author, { title: 'Xylophone removed' })
    const hidden = await forum.start(author, { title: 'Xylophone hidden' })
    await author.client.delete(`/discussions/${removed.id}`)
    await forum.reportOften(hidden.id)
    const found = async ({ client }: Pick<Visitor, 'client'>) => {
      const { body } = await client.get<Page<Discussion>>('/discussions?search=xylophone')
      return { ids: body.data.map(({ id }) => id), total: body.pagination.total }
    }
    expect(await found(author)).toEqual({ ids: [], total: 0 })
    for (const each of [insider, { client: forum.side.admin }])
      expect(await found(each)).toEqual({ ids: [gated.id], total: 1 })
    await forum.side.admin.patch(`/members/${insider.id}`, { plan_id: (await forum.side.makePlan()).id })
    expect(await found(insider)).toEqual({ ids: [], total: 0 })
  })
})

describe('a list is refused', () => {
  const faultOf = async (path: string) => {
    const { status, body } = await visitor.get<{ details?: { field: string; rule: string }[] }>(path)
    return [status, body.details?.[0]?.field, body.details?.[0]?.rule]
  }

  test('with a filter by what is no id', async () => {
    const { id } = await forum.start(author)
    expect(await faultOf('/discussions?author_id=nobody')).toEqual([400, 'author_id', 'id'])
    expect(await faultOf(`/discussions?author_id=${id}`)).toEqual([400, 'author_id', 'id'])
    expect(await faultOf(`/discussions/${id}/comments?parent_id=nobody`)).toEqual([400, 'parent_id', 'id'])
  })

  test('with a search that only excludes', async () => {
    expect(await faultOf('/discussions?search=-word')).toEqual([400, 'search', 'words'])
    expect((await faultOf('/discussions?search=word%20-other'))[0]).toBe(200)
  })

  test('with a forged cursor whose time or number there is not', async () => {
    const { id } = await forum.start(author)
    const uuid = '01900000-0000-7000-8000-000000000000'
    const cursor = (...values: unknown[]) => Buffer.from(JSON.stringify(values)).toString('base64url')
    for (const time of ['2026-02-31 10:00:00+00', '2026-11-21 25:00:00+00', '99999-01-01 00:00:00+00', ''])
      for (const path of [
        `/discussions?cursor=${cursor('latest', false, time, uuid)}`,
        `/discussions?sort=newest&cursor=${cursor('newest', time, uuid)}`,
        `/discussions?sort=unanswered&cursor=${cursor('unanswered', true, time, uuid)}`,
        `/discussions/${id}/comments?cursor=${cursor('oldest', time, uuid)}`,
      ])
        expect([time, await faultOf(path)]).toEqual([time, [400, 'cursor', 'cursor']])
    for (const likes of [1.5, '1', null, 1e300])
      expect(await faultOf(`/discussions?sort=top&cursor=${cursor('top', likes, uuid)}`)).toEqual([
        ...[400, 'cursor', 'cursor'],
      ])
  })
})
