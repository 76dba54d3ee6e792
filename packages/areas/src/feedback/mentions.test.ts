import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { parseId } from '#platform/ids.ts'
import type { TestApi } from '#testkit/api.ts'
import type { Client, Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { withNewProjects } from '#testkit/with-api.ts'
import { feedbackId } from './ids.ts'
import { memberData } from './member-data.ts'
import type { FeedbackItem } from './schema.ts'
import { Board } from './votes/board.fixture.ts'

let api: TestApi
let side: Side
let board: Board

withNewProjects((opened, one) => {
  api = opened
  side = one.live
  board = new Board(side)
})

async function join(display_name: string): Promise<{ id: string; client: Client }> {
  const { id } = await side.makeMember()
  const client = side.as((await side.signIn(id)).token)
  expect((await client.patch('/user/profile', { display_name })).status).toBe(200)
  return { id, client }
}
/** Texts that mention a member, with what their writer typed. */
const textsOn = (id: string, label: string) => ({
  title: `Ask [@${label}](${id})`,
  message: `[@${label}](${id}) wants it <b>dark</b>`,
})
const eventsOf = async (id: string) =>
  (
    await api.owner.query<{ payload: string }>(
      "select payload::text from events where project_id = $1 and type like 'feedback.%' and payload::text like $2",
      [side.projectId, `%${id}%`],
    )
  ).rows.map(({ payload }) => payload)
const documentsOf = async (id: string) =>
  (
    await api.owner.query<{ document: string }>(
      'select search_documents::text as document from search_documents where project_id = $1 and id = $2',
      [side.projectId, parseId(feedbackId, id)],
    )
  ).rows.map(({ document }) => document)

test('every answer with an item shows the present names of the members that it mentions', async () => {
  const [ada, bob] = [await join('Ada'), await join('Bob')]
  const typed = textsOn(ada.id, 'Wilhelmina')
  const { status, body } = await ada.client.post<{ feedback: FeedbackItem }>('/feedback?include=title', {
    type: 'feature',
    ...typed,
  })
  expect({ status, feedback: body.feedback }).toMatchObject({ status: 201, feedback: textsOn(ada.id, 'Ada') })
  const { id } = body.feedback
  const path = `/feedback/${id}`
  const patched = await ada.client.patch<{ data: object }>(path, {
    title: typed.title,
    message: typed.message,
  })
  expect(patched.body.data).toMatchObject(textsOn(ada.id, 'Ada'))
  const into = await board.make()
  await bob.client.put(`${path}/vote`)
  expect(await board.merge(id, into)).toMatchObject(textsOn(ada.id, 'Ada'))
  expect(await board.merge(id, null)).toMatchObject(textsOn(ada.id, 'Ada'))
  const done = await side.admin.post<{ data: object }>(`${path}/status`, { status: 'done' })
  expect(done.body.data).toMatchObject(textsOn(ada.id, 'Ada'))
  const answers = async () =>
    Promise.all(
      [path, '/feedback', '/roadmap', '/changelog', '/feedback/similar?title=Ask', '/search?q=wants'].map(
        async (each) => [each, JSON.stringify((await side.admin.get(each)).body)] as const,
      ),
    )
  for (const [each, text] of await answers()) {
    expect({ each, text }).toEqual({ each, text: expect.stringContaining('@Ada') })
    expect({ each, text }).toEqual({ each, text: expect.not.stringContaining('Wilhelmina') })
  }
  expect((await side.admin.get<{ data: object[] }>('/search?q=Wilhelmina')).body.data).toEqual([])
  const exported = await side.write(async (ctx) => {
    const data = memberData.find(({ table }) => table === 'feedback')
    return data?.list(ctx, { memberIds: [parseId('member', ada.id) ?? ''], emails: [] }, null, 10)
  })
  expect(JSON.stringify(exported)).toContain('@Ada')
  for (const stored of [await eventsOf(id), await documentsOf(id)]) {
    expect(stored).not.toEqual([])
    expect(JSON.stringify(stored)).not.toMatch(/Ada|Wilhelmina/)
  }

  await side.admin.delete(`/members/${ada.id}?mode=anonymize`)
  for (const [each, text] of await answers()) {
    expect({ each, text }).toEqual({ each, text: expect.stringContaining('@Former member') })
    expect({ each, text }).toEqual({ each, text: expect.not.stringContaining('@Ada') })
  }
})

test('a text that becomes too long, or mentions too many, is refused', async () => {
  const { id } = await side.makeMember()
  const title = `[](${id})`.padEnd(200, 'x')
  const message = `[@](${id})`.repeat(101)
  for (const [body, field, rule] of [
    [{ title, message: 'x' }, 'title', 'maxLength'],
    [{ message }, 'message', 'mentions'],
  ] as const) {
    const refused = await side.admin.post('/feedback', { type: 'feature', ...body })
    expect(refusalOf(refused)).toBe('422 VALIDATION_ERROR')
    expect(JSON.stringify(refused.body)).toContain(`"field":"${field}","rule":"${rule}"`)
  }
})

test('the migration drops labels from items and events of before, and has them searched again', async () => {
  const { id: ada } = await side.makeMember()
  const id = await board.make({ title: 'x', message: 'y' })
  const typed = textsOn(ada, 'Wilhelmina')
  const at = [side.projectId, parseId(feedbackId, id)]
  await api.owner.query('update feedback set title = $3, message = $4 where project_id = $1 and id = $2', [
    ...at,
    typed.title,
    typed.message,
  ])
  await api.owner.query(
    `update events set payload = (payload::jsonb || $2::jsonb)::json
      where project_id = $1 and payload->>'id' = $3`,
    [side.projectId, JSON.stringify(typed), id],
  )
  const file = new URL('../../../../migrations/20261125T0656_mentions_of_feedback_by_id.sql', import.meta.url)
  const sql = await readFile(file, 'utf8')
  // As the migrator runs it: in a transaction of the project.
  const run = async () => {
    const project = `select set_config('app.project_id', '${side.projectId}', true);`
    const results = (await api.owner.query(`${project}\n${sql}`)) as unknown as { rowCount: number }[]
    return results[1]?.rowCount
  }
  expect([await run(), await run()]).toEqual([2, 0])
  const { rows } = await api.owner.query(
    'select title, message from feedback where project_id = $1 and id = $2',
    at,
  )
  expect(rows).toEqual([textsOn(ada, '')])
  const events = await eventsOf(id)
  expect(events.join()).toContain(`[@](${ada})`)
  expect(events.join()).not.toContain('Wilhelmina')
})
