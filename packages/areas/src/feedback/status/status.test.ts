import { describe, expect, test } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import type { Client, Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { statementsOf } from '#testkit/statements.ts'
import { withNewProjects } from '#testkit/with-api.ts'
import type { FeedbackItem } from '../schema.ts'
import { Board } from '../votes/board.fixture.ts'

let api: TestApi
let side: Side
let board: Board
let visitor: Client

withNewProjects(async (opened, one, two) => {
  api = opened
  side = one.live
  board = new Board(side)
  visitor = side.as((await side.makeKey({ type: 'public', capabilities: ['catalog'] })).key)
  await new Board(two.live).make()
})

const say = (id: string, body: object) =>
  side.admin.post<{ data: FeedbackItem; code: string }>(`/feedback/${id}/status`, body)
const changes = async (id: string) =>
  (
    await side.admin.get<{ data: { status: string; previous_status: string; note: string | null }[] }>(
      `/feedback/${id}/status-changes`,
    )
  ).body.data

describe('a status', () => {
  test('moves from any to any, with its note, and every move is kept', async () => {
    const id = await board.make()
    const answer = await say(id, { status: 'planned', note: 'In March' })
    expect(answer.body.data).toMatchObject({ status: 'planned', status_note: 'In March' })
    expect((await say(id, { status: 'done' })).body.data).toMatchObject({ status: 'done', status_note: null })
    expect((await say(id, { status: 'new' })).body.data.status).toBe('new')
    expect((await changes(id)).map(({ previous_status, status }) => [previous_status, status])).toEqual([
      ['done', 'new'],
      ['planned', 'done'],
      ['new', 'planned'],
    ])
  })

  test('set again changes nothing but its note', async () => {
    const id = await board.make()
    await say(id, { status: 'done', note: 'Her it is' })
    const before = (await side.admin.get(`/feedback/${id}`)).body
    expect((await say(id, { status: 'done' })).body).toEqual(before)
    expect((await say(id, { status: 'done', note: 'Here it is' })).body.data.status_note).toBe('Here it is')
    expect(await changes(id)).toHaveLength(2)
  })

  test('is not `duplicate`, and is nothing that a duplicate has of its own', async () => {
    const [a, b] = [await board.make(), await board.make()]
    expect(refusalOf(await say(a, { status: 'duplicate' }))).toBe('422 VALIDATION_ERROR')
    await say(a, { status: 'planned' })
    await board.merge(a, b)
    expect((await say(a, { status: 'done' })).body.code).toBe('FEEDBACK_IS_DUPLICATE')
    expect(await board.merge(a, null)).toMatchObject({ status: 'planned' })
  })

  test('of an item that moderators change tells who it was, and leaves a row in the audit log', async () => {
    const id = await board.make()
    const moderator = await side.signIn((await side.makeMember({ role: 'moderator' })).id)
    await side.as(moderator.token).post(`/feedback/${id}/status`, { status: 'declined' })
    expect(await changes(id)).toMatchObject([{ changed_by: moderator.memberId }])
    const { rows } = await api.owner.query('select action, actor_id from audit_log where target = $1', [id])
    expect(rows).toEqual([{ action: 'feedback.set_status', actor_id: moderator.memberId }])
  })
})

describe('roadmap and changelog', () => {
  interface Roadmap {
    data: { status: string; total: number; items: FeedbackItem[] }[]
  }
  interface Changelog {
    data: { feedback_id: string; note: string | null; done_at: string }[]
    pagination: { total: number; next_cursor: string | null }
  }
  const roadmap = async () => (await visitor.get<Roadmap>('/roadmap?type=question')).body.data
  const changelog = async (query = '') =>
    (await visitor.get<Changelog>(`/changelog?type=question${query}`)).body

  test('show public items of their states, by votes and by time, with their notes', async () => {
    const made = async (input: object, status: string, note?: string) => {
      const id = await board.make({ type: 'question', ...input })
      await say(id, { status, ...(note !== undefined && { note }) })
      return id
    }
    const first = await made({}, 'done', 'Finished')
    const second = await made({}, 'done', 'Finished, too')
    const planned = await made({}, 'planned')
    await made({ visibility: 'private' }, 'done', 'Secret')
    await made({}, 'declined')
    await board.vote(first, (await side.makeMember()).id)
    const columns = await roadmap()
    expect(columns.map(({ status, total, items }) => [status, total, items.map(({ id }) => id)])).toEqual([
      ['planned', 1, [planned]],
      ['in_progress', 0, []],
      ['done', 2, [first, second]],
    ])
    const { data, pagination } = await changelog()
    expect(data.map(({ feedback_id, note }) => [feedback_id, note])).toEqual([
      [second, 'Finished, too'],
      [first, 'Finished'],
    ])
    expect(pagination.total).toBe(2)
    const page = await changelog('&limit=1')
    const rest = await changelog(`&limit=1&cursor=${page.pagination.next_cursor}`)
    expect(rest.data.map(({ feedback_id }) => feedback_id)).toEqual([first])
    await board.merge(first, second)
    expect((await changelog()).pagination.total).toBe(1)
    await say(second, { status: 'in_progress' })
    expect((await changelog()).data).toEqual([])
    expect((await roadmap()).map(({ total }) => total)).toEqual([1, 1, 0])
  })
})

describe('comments', () => {
  interface Comments {
    data: { content: string; content_html: string; official: boolean; author_id: string | null }[]
    pagination: { total: number }
  }

  test('are shown to whoever sees the item, and private notes to the team alone', async () => {
    const id = await board.make()
    const author = await side.signIn()
    const path = `/feedback/${id}/comments`
    const write = (client: Client, body: object) => client.post<{ data: object }>(path, body)
    expect((await write(side.as(author.token), { content: 'Me **too** <script>' })).status).toBe(201)
    expect((await write(side.admin, { content: 'We are at it', official: true })).status).toBe(201)
    expect((await write(side.admin, { content: 'Hard', official: true, visibility: 'private' })).status).toBe(
      201,
    )
    expect(refusalOf(await write(side.admin, { content: 'Nobody says this' }))).toBe('422 VALIDATION_ERROR')
    const read = async (client: Client) => (await client.get<Comments>(path)).body
    expect((await read(side.admin)).pagination.total).toBe(3)
    const { data, pagination } = await read(visitor)
    expect(pagination.total).toBe(2)
    expect(data).toMatchObject([
      {
        content: 'Me **too** <script>',
        content_html: '<p>Me <strong>too</strong> &lt;script&gt;</p>\n',
        official: false,
        author_id: author.memberId,
      },
      { content: 'We are at it', official: true, author_id: null },
    ])
    expect((await read(side.as(author.token))).pagination.total).toBe(2)
  })
})

test('a list of twenty items costs as many statements as a list of one', async () => {
  for (let i = 0; i < 20; i++) await board.make({ title: `Item ${i}` })
  const { token } = await side.signIn()
  for (const client of [side.admin, side.as(token)]) {
    const asked = (limit: number) => statementsOf(() => client.get(`/feedback?limit=${limit}`))
    expect(await asked(1)).toBeGreaterThan(1)
    expect(await asked(20)).toBe(await asked(1))
  }
})
