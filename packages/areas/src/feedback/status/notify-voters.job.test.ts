import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { parseId } from '#platform/ids.ts'
import type { JobRun } from '#platform/jobs/define-job.ts'
import { startApi, type TestApi } from '#testkit/api.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { feedbackId } from '../ids.ts'
import { Board } from '../votes/board.fixture.ts'
import { notifyVoters } from './notify-voters.job.ts'

let api: TestApi
let side: Side
let board: Board

beforeAll(async () => {
  api = await startApi()
})
// A test that is repeated finds nothing of its first run.
beforeEach(async () => {
  const [one] = await makeProjects(api)
  side = one.live
  board = new Board(side)
})
afterAll(() => api.close())

const member = async (email: string, input: object = {}) => (await side.makeMember({ email, ...input })).id

/** Says a status, and does the work that it asks for so many times at once. @returns who has mails by now */
async function notified(id: string, body: object, runs = 1): Promise<string[]> {
  await side.admin.post(`/feedback/${id}/status`, body)
  const { rows } = await api.owner.query<{ id: string; notifies: boolean }>(
    'select id, notify_voters as notifies from feedback_status_changes where feedback_id = $1 order by id desc limit 1',
    [parseId(feedbackId, id)],
  )
  const change = rows[0]
  if (change?.notifies !== true) return []
  const run = {
    deps: { config: api.config },
    signal: new AbortController().signal,
    read: side.read,
    write: side.write,
    record: side.write,
  } as unknown as JobRun
  await Promise.all(Array.from({ length: runs }, () => notifyVoters.run(run, { change_id: change.id })))
  return mailed()
}

async function mailed(): Promise<string[]> {
  const { rows } = await api.owner.query<{ to_address: string }>(
    `delete from mails where mail = 'feedback_status_changed' returning to_address`,
  )
  return rows.map(({ to_address }) => to_address.split('@')[0] ?? '').sort()
}

describe('voters of an item', () => {
  test('are notified once of each change of status, however often the job runs', async () => {
    const id = await board.make()
    for (const name of ['ann', 'bob']) await board.vote(id, await member(`${name}@example.com`))
    expect(await notified(id, { status: 'planned' }, 3)).toEqual(['ann', 'bob'])
    expect(await notified(id, { status: 'done', note: 'Here it is' })).toEqual(['ann', 'bob'])
    expect(await notified(id, { status: 'done', note: 'Here it is!' })).toEqual([])
    expect(await notified(id, { status: 'new', notify_voters: false })).toEqual([])
  })

  test('are also those of its duplicates, each once, and nobody who is gone', async () => {
    const [a, b] = [await board.make({ type: 'bug' }), await board.make()]
    const both = await member('both@example.com')
    for (const id of [a, b]) await board.vote(id, both)
    await board.vote(a, await member('duplicate@example.com'))
    await board.vote(b, await member('original@example.com'))
    const gone = await member('gone@example.com')
    const inactive = await member('inactive@example.com')
    for (const each of [gone, inactive]) await board.vote(a, each)
    await board.merge(a, b)
    await side.admin.delete(`/members/${gone}`)
    await side.admin.patch(`/members/${inactive}`, { status: 'inactive' })
    expect(await notified(b, { status: 'in_progress' })).toEqual(['both', 'duplicate', 'original'])
  })

  test('of many items are notified of all of them, in steps', async () => {
    const id = await board.make()
    const crowd = await Promise.all(Array.from({ length: 130 }, (_, i) => member(`m${i}@example.com`)))
    for (let i = 0; i < crowd.length; i += 20)
      await Promise.all(crowd.slice(i, i + 20).map((each) => board.vote(id, each)))
    expect(await notified(id, { status: 'done' })).toHaveLength(130)
  })
})
