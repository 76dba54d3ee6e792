import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { read } from '#platform/db/tenant.ts'
import { newUuid } from '#platform/ids.ts'
import { allNotes, insertNote } from '#testkit/areas/notes.ts'
import { onServer } from '#testkit/database.ts'
import type { Side } from '#testkit/factories.ts'
import { SOON } from '#testkit/soon.ts'
import { withoutStall } from '#testkit/without-stall.ts'
import { openAddresses } from './replica-addresses.ts'
import { openReplicas, type ReplicaEnvironment } from './replica-environment.ts'

// Each test leaves the replica as it found it, but the last one, which promotes it.

let env: ReplicaEnvironment
let emails: ReplicaEnvironment['emails']
let addMember: ReplicaEnvironment['addMember']
beforeAll(async () => {
  env = await openReplicas()
  emails = env.emails
  addMember = env.addMember
})
beforeEach(() => env.untilRead())
afterAll(() => env?.close())

const untilState = (expected: object, through = env.api) =>
  vi.waitFor(async () => expect(await env.state(through)).toMatchObject(expected), SOON)

test('whoever has written sees it at once, and is answered by a replica once that shows it', async () => {
  const email = await env.whilePaused(async () => {
    const added = await addMember()
    expect(await emails(env.side.key)).toContain(added)
    // The same list for somebody else is read from the replica, which does not have it yet.
    expect(await emails(env.reader)).not.toContain(added)
    return added
  })
  await vi.waitFor(async () => {
    const before = await env.answeredByReplica()
    expect(await emails(env.side.key)).toContain(email)
    expect(await env.answeredByReplica()).toBe(before + 1)
  }, SOON)
})

test('a member sees what a server has written for them', async () => {
  const { memberId, token } = await env.side.signIn()
  await env.side.admin.post('/discussion-categories', { name: 'All', slug: 'all' })
  await env.untilRead()
  await env.whilePaused(async () => {
    const written = { title: 'By a server', content: 'Text', category: 'all', author_id: memberId }
    expect((await env.side.admin.post('/discussions', written)).status).toBe(201)
    const titles = async (key: string) => {
      const listed = await env.side.as(key).get<{ data: { title: string }[] }>('/discussions')
      return listed.body.data.map(({ title }) => title)
    }
    expect(await titles(token)).toEqual(['By a server'])
    expect(await titles(env.reader)).toEqual([])
  })
})

test('a write through one process is seen through another', async ({ skip }) => {
  if (!env.second) return skip('this machine has no Redis')
  await env.whilePaused(async () => {
    const email = await addMember(env.second)
    expect(await emails(env.side.key, env.api)).toContain(email)
    expect(await emails(env.reader, env.api)).not.toContain(email)
  })
})

test('a replica shows no row of another project, and takes no writes', async () => {
  await env.side.write(insertNote({ id: newUuid(), text: 'mine' }))
  await env.standby.untilCaughtUp()
  const pool = env.readPool
  const notesOf = async ({ projectId }: Side) => (await read(pool, projectId, { notes: allNotes() })).notes
  expect((await notesOf(env.side)).map(({ text }) => text)).toContain('mine')
  expect(await notesOf(env.other)).toEqual([])
  expect((await pool.query('select * from notes')).rows).toEqual([])
  await expect(
    pool.query('insert into notes (id, text) values (gen_random_uuid(), $1)', ['x']),
  ).rejects.toMatchObject({
    code: '25006',
  })
  expect(await emails(env.other.key)).toEqual([])
})

test('lists, searches and reports are answered by the replica, and none of them writes', () =>
  // A replica that does not answer in time, which in a stall none does, is not waited for.
  withoutStall(200, async () => {
    await env.untilRead()
    const paths = Object.entries(env.api.api.swagger().paths ?? {})
      .filter(([path, methods]) => methods?.get !== undefined && !/[{]|test-/.test(path))
      .map(([path]) => path.replace('/api/v1', ''))
    const answers: string[] = []
    for (const path of paths) {
      const before = await env.answeredByReplica()
      const { status } = await env.quiet.get(path)
      if (status === 200 && (await env.answeredByReplica()) > before) answers.push(path)
    }
    expect(answers.length).toBeGreaterThan(30)
    for (const path of ['/members', '/members/stats', '/analytics/stats', '/discussions', '/members/export'])
      expect(answers).toContain(path)
    for (const path of ['/api-keys', '/auth/sessions', '/events']) expect(answers).not.toContain(path)
  }))

test('a read that would write is refused, writes nothing on the primary either, and is no trouble of the replica', async () => {
  const before = await env.troubles()
  const { status } = await env.api.send('GET', '/api/v1/test-writes', { key: env.reader })
  expect(status).toBe(503)
  const { notes } = await env.side.read({ notes: allNotes() })
  expect(notes.map(({ text }) => text)).not.toContain('written by a read')
  expect(await env.troubles()).toBe(before)
})

test('a read that replaying ends is answered by the primary', async () => {
  const slow = env.api.send<{ data: string[] }>('GET', '/api/v1/test-slow', { key: env.reader })
  await vi.waitFor(async () => {
    const asked =
      "select 1 from pg_stat_activity where query like '%pg_sleep%' and state = 'active' and pid <> pg_backend_pid()"
    expect((await env.readPool.query(asked)).rows).toHaveLength(1)
  }, SOON)
  await onServer(env.primary.url, 'begin', 'lock table notes in access exclusive mode', 'commit')
  const { status, body } = await slow
  expect([status, body.data.includes('mine')]).toEqual([200, true])
  expect(await env.troubles()).toContain('trouble="conflict"} 1')
})

test('an export is read from a replica that shows everything up to its beginning', () =>
  // A replica that does not answer in time, which in a stall none does, is not waited for.
  withoutStall(200, async () => {
    await env.untilRead()
    const email = await addMember()
    const before = await env.answeredByReplica()
    const exported = await env.side.admin.get<string>('/members/export')
    expect(exported.body).toContain(email)
    expect(await env.answeredByReplica()).toBe(before + 1)

    // A replica that does not get there in time is not waited for.
    await env.whilePaused(async () => {
      const newer = await addMember()
      const again = await env.side.admin.get<string>('/members/export')
      expect(again.body).toContain(newer)
      expect(await env.answeredByReplica()).toBe(before + 1)
    })
  }))

test('a replica that vacuum could end exports on takes none', async () => {
  await env.setFeedback('off')
  await vi.waitFor(() => expect(env.logged('takes no exports: set hot_standby_feedback = on')).toBe(1), SOON)
  const before = await env.answeredByReplica()
  expect((await env.quiet.get('/members/export')).status).toBe(200)
  expect(await env.answeredByReplica()).toBe(before)
  await env.setFeedback('on')
  await vi.waitFor(() => expect(env.logged('takes exports now')).toBe(1), SOON)
})

test('a replica that is too far behind is left out until it is not', async () => {
  const { api, lines } = await env.openAnother({ REPLICA_MAX_LAG_MS: '600' })
  onTestFinished(() => api.close())
  const isRead = () => untilState({ ok: true, lag_bytes: 0 }, api)
  await isRead()
  await env.whilePaused(async () => {
    await addMember()
    await untilState({ ok: false, problem: 'behind' }, api)
    expect((await env.state(api))?.lag_bytes).toBeGreaterThan(0)
    expect(lines.join('\n')).toContain('is more than 600 ms behind the primary')
    const newer = await addMember()
    expect(await emails(env.reader, api)).toContain(newer)
  })
  await isRead()
})

test('a replica that answers nothing delays a read for a moment only', async () => {
  const before = env.logged('cannot be reached')
  env.proxy.freeze()
  onTestFinished(() => env.proxy.thaw())
  expect(await emails(env.reader)).not.toEqual([])
  await untilState({ ok: false, problem: 'unreachable' })
  expect(env.logged('cannot be reached')).toBe(before + 1)
})

test('a replica that goes away is left out without a failed request, and is read again when it comes back', async () => {
  let asking = true
  const asked = (async () => {
    while (asking) await emails(env.reader)
  })()
  await env.standby.stop()
  await untilState({ ok: false })
  await env.standby.start()
  await env.untilRead()
  asking = false
  await asked
})

test('an address that is no replica of the primary is left out, with a sentence', async () => {
  const { messages, replicas, close } = await openAddresses(env.primary.url, env.standby)
  onTestFinished(close)
  await vi.waitFor(
    () =>
      expect(replicas.all.map(({ problem }) => problem?.code)).toEqual([
        ...['primary', undefined, 'pooler', 'other_cluster', 'unreachable'],
      ]),
    SOON,
  )
  const sentences = [
    /^replica 1 .* leads to the primary itself: .* It is left out, and the primary answers$/,
    /^replica 2 .* is read now$/,
    /^replica 3 .* leads to a pooler: its address must lead to one PostgreSQL itself/,
    /^replica 4 .* leads to another cluster of databases than DATABASE_URL/,
    /^replica 5 .* cannot be reached \(connect ECONNREFUSED/,
  ]
  for (const sentence of sentences) expect(messages()).toContainEqual(expect.stringMatching(sentence))
})

test('a replica that was promoted is left out, and writes go to the primary alone', async () => {
  await env.standby.promote()
  await untilState({ ok: false, problem: 'promoted' })
  expect(env.logged('is no standby any more (it was promoted)')).toBe(1)
  const insert = env.readPool.query("insert into notes (id, text) values (gen_random_uuid(), 'lost')")
  await expect(insert).rejects.toMatchObject({ code: '25006' })
  const email = await addMember()
  expect(await emails(env.reader)).toContain(email)
})
