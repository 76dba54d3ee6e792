import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SEALED_FOR } from '#areas/mail/send-mail.job.ts'
import { parseId } from '#platform/ids.ts'
import type { JobRun } from '#platform/jobs/define-job.ts'
import { makeSecretBox } from '#platform/secrets/secret-box.ts'
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
async function notified(id: string, body: object, runs = 1, look = async () => {}): Promise<string[]> {
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
  await look()
  return mailed()
}

/** The links that end the mails of the last change, by the member's name. They stand in the headers of a mail, too (RFC 8058). */
async function linksAfter(id: string, body: object): Promise<Record<string, string>> {
  const box = makeSecretBox(api.config.SECRET_KEY, SEALED_FOR)
  const links: Record<string, string> = {}
  await notified(id, body, 1, async () => {
    const { rows } = await api.owner.query<{ id: string; to_address: string; sealed_values: Buffer }>(
      `select id, to_address, sealed_values from mails where mail = 'feedback_status_changed'`,
    )
    for (const mail of rows)
      links[mail.to_address.split('@')[0] ?? ''] = JSON.parse(
        box.open(mail.sealed_values, mail.id),
      ).unsubscribe
  })
  return links
}
const visit = (method: string, link: string | undefined) => fetch(pathOn(link), { method })
const pathOn = (link = '') => api.url + new URL(link).pathname

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

  test('end these mails with one click and without a login, until they vote again', async () => {
    const [a, b] = [await board.make(), await board.make()]
    const [ann, bob] = [await member('ann@example.com'), await member('bob@example.com')]
    for (const voter of [ann, bob]) for (const id of [a, b]) await board.vote(id, voter)
    const links = await linksAfter(a, { status: 'planned' })
    // Programs that check mails open every link.
    const page = await visit('GET', links['ann'])
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<form method="post">')])
    expect(await notified(b, { status: 'planned' })).toEqual(['ann', 'bob'])
    for (const _ of [1, 2]) expect((await visit('POST', links['ann'])).status).toBe(200)
    expect(await notified(a, { status: 'in_progress' })).toEqual(['bob'])
    expect(await notified(b, { status: 'in_progress' })).toEqual(['bob'])
    const later = await board.make()
    await board.vote(later, ann)
    expect(await notified(later, { status: 'planned' })).toEqual(['ann'])
    const forged = `${links['bob']?.slice(0, -2)}AA`
    expect((await visit('POST', forged)).status).toBe(404)
    expect(await notified(a, { status: 'done' })).toEqual(['bob'])
    await side.admin.delete(`/members/${bob}`)
    const gone = await visit('POST', links['bob'])
    expect([gone.status, await gone.text()]).toEqual([200, expect.not.stringContaining('bob')])
  })

  test('of many items are notified of all of them, in steps', async () => {
    const id = await board.make()
    const crowd = await Promise.all(Array.from({ length: 130 }, (_, i) => member(`m${i}@example.com`)))
    for (let i = 0; i < crowd.length; i += 20)
      await Promise.all(crowd.slice(i, i + 20).map((each) => board.vote(id, each)))
    expect(await notified(id, { status: 'done' })).toHaveLength(130)
  })
})
