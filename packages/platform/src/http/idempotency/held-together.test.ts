import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Actor } from '#platform/actor.ts'
import { Batch } from '#platform/db/batch.ts'
import { query, statement } from '#platform/db/statement.ts'
import { type Context, inProject, inProjectOnce } from '#platform/db/tenant.ts'
import { newUuid } from '#platform/ids.ts'
import { type Answer, sharedApi, type TestApi } from '#testkit/api.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { answerTakenKey, type HeldKey, KeyTaken, takeKey } from './queries.ts'

// Requests with a key that begin in the same turn of the event loop: their transactions are one.

const SYSTEM: Actor = { kind: 'system', reason: 'test' }
const ANSWER = { status: 201, content_type: null, body: Buffer.from('answer') }
/** A short write that says in which transaction it was done. An id that is taken makes it fail. */
const insertFile = statement(
  'insert_file_in_test',
  (v: { id: string }) =>
    query
      .insertInto('search_documents')
      .values({ kind: 'held', id: v.id, locale: '', title: '', audience: [], words: '' })
      .returning((row) => row.fn<string>('pg_current_xact_id', []).as('xact')),
  {},
  'insert',
)
const count = statement('count_files_in_test', () =>
  query
    .selectFrom('search_documents')
    .select((row) => row.fn.countAll<number>().as('n'))
    .where('kind', '=', 'held'),
)
const countAnswers = statement('count_answers_in_test', () =>
  query.selectFrom('idempotency_keys').select((row) => row.fn.countAll<number>().as('n')),
)

let api: TestApi
let side: Side
let other: Side
let pool: pg.Pool
beforeAll(async () => {
  api = await sharedApi()
  pool = api.deps.pool
  const [one, two] = await makeProjects(api)
  side = one.live
  other = two.live
})
afterAll(() => api.close())

let number = 0
const newKey = (lock = `${++number}`): HeldKey => ({
  scope: 'secret_key',
  key: randomUUID(),
  token: newUuid(),
  fingerprint: Buffer.from('same'),
  lock,
})

/** A request that takes a key, writes something, and stores its answer once `ready` lets it. */
function request(
  project: string,
  key: HeldKey,
  id = newUuid(),
  ready: PromiseLike<void> = Promise.resolve(),
) {
  const begun = Promise.withResolvers<string>()
  const done = inProjectOnce(pool, project, SYSTEM, async (ctx) => {
    takeKey(ctx, key)
    const working = ctx.tx.single(insertFile, { id })
    ctx.tx.holdWithOthers(working, key.lock)
    begun.resolve((await working).xact)
    await ready
    answerTakenKey(ctx, key, ANSWER)
  })
  done.catch(begun.reject)
  begun.promise.catch(() => {})
  return { xact: begun.promise, done }
}
const within = <T>(project: string, work: (ctx: Context) => PromiseLike<T>) =>
  inProject(pool, project, SYSTEM, work)
const written = (project: string) => within(project, async (ctx) => (await ctx.tx.single(count, {})).n)
const answered = (project: string) =>
  within(project, async (ctx) => (await ctx.tx.single(countAnswers, {})).n)
const settled = (requests: readonly { done: Promise<unknown> }[]) =>
  Promise.allSettled(requests.map(({ done }) => done))

describe('requests that begin at once', () => {
  test('share a transaction of two trips, and none is committed before the last of them knows its answer', async () => {
    const project = newUuid()
    const gate = Promise.withResolvers<void>()
    const spy = vi.spyOn(Batch.prototype, 'submit')
    const all = [1, 2, 3, 4, 5, 6, 7].map(() => request(project, newKey()))
    const last = request(project, newKey(), newUuid(), gate.promise)
    const xacts = await Promise.all([...all, last].map(({ xact }) => xact))
    expect(new Set(xacts).size).toBe(1)
    expect(spy.mock.calls.length).toBe(1)
    spy.mockRestore()
    expect(await written(project)).toBe(0)
    gate.resolve()
    await settled([...all, last])
    expect(await written(project)).toBe(8)
  })

  test('are done apart from one that fails, and from one whose key is taken', async () => {
    const project = newUuid()
    const [taken, id] = [newKey(), newUuid()]
    await request(project, taken, id).done
    const all = [newKey(), taken, newKey(), newKey()].map((key, n) =>
      request(project, key, n === 2 ? id : newUuid()),
    )
    const [first, second, third, fourth] = await settled(all)
    expect([first?.status, fourth?.status]).toEqual(['fulfilled', 'fulfilled'])
    expect(second).toMatchObject({ reason: expect.any(KeyTaken) })
    expect(third).toMatchObject({ status: 'rejected', reason: { code: '23505' } })
    expect(await written(project)).toBe(3)
  })

  test('never share with another request that has their key: it is refused', async () => {
    const project = newUuid()
    const key = newKey()
    const all = await settled([1, 2, 3].map(() => request(project, key)))
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const each of all) if (each.status === 'rejected') expect(each.reason).toBeInstanceOf(KeyTaken)
    expect(await written(project)).toBe(1)
  })

  test('leave nothing where one of them breaks off, or where the connection is lost', async () => {
    const project = newUuid()
    const breaking = Promise.withResolvers<void>()
    const broken = request(project, newKey(), newUuid(), breaking.promise)
    const beside = request(project, newKey())
    await Promise.all([broken.xact, beside.xact])
    breaking.reject(new Error('broken'))
    const [one, other] = await settled([broken, beside])
    expect([one, other]).toMatchObject([{ reason: { message: 'broken' } }, { reason: { status: 503 } }])
    const gate = Promise.withResolvers<void>()
    const lost = [request(project, newKey(), newUuid(), gate.promise), request(project, newKey())]
    const [xact] = await Promise.all(lost.map((each) => each.xact))
    await api.owner.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where backend_xid::text = $1',
      [xact],
    )
    gate.resolve()
    for (const each of await settled(lost)) expect(each.status).toBe('rejected')
    expect(await written(project)).toBe(0)
  })

  test('share with those of other projects, each in its own', async () => {
    const projects = [newUuid(), newUuid(), newUuid()]
    const all = [0, 1, 2, 1, 0, 1, 1].map((n) => request(projects[n] ?? '', newKey()))
    const xacts = await Promise.all(all.map(({ xact }) => xact))
    expect(new Set(xacts).size).toBe(1)
    await settled(all)
    expect(await Promise.all(projects.map(written))).toEqual([2, 4, 1])
    expect(await Promise.all(projects.map(answered))).toEqual([2, 4, 1])
  })

  test('are held up by no other project: neither by a write that waits, nor by one that fails', async () => {
    const [waits, fails, other] = [newUuid(), newUuid(), newUuid()]
    const [id, twice, taken] = [newUuid(), newUuid(), newKey()]
    await request(fails, taken, twice).done
    const client = await api.owner.connect()
    await client.query('begin')
    await client.query(
      `insert into search_documents (project_id, kind, id, audience, title, words) values ($1, 'held', $2, '{}', '', '')`,
      [waits, id],
    )
    const waiting = request(waits, newKey(), id)
    const failing = [request(fails, newKey(), twice), request(fails, taken), request(fails, newKey())]
    await request(other, newKey()).done
    const [first, second, third] = await settled(failing)
    expect([first, second, third]).toMatchObject([
      { reason: { code: '23505' } },
      { reason: expect.any(KeyTaken) },
      { status: 'fulfilled' },
    ])
    expect(await Promise.all([waits, fails, other].map(written))).toEqual([0, 2, 1])
    await client.query('rollback')
    client.release()
    await waiting.done
    expect(await written(waits)).toBe(1)
  })
})

test('of hundreds at once with the same keys and addresses in two projects, each work has its answer and each answer its work', async () => {
  const keys: string[] = Array.from({ length: 60 }, () => randomUUID())
  const addresses = Array.from({ length: 50 }, () => `${randomUUID()}@example.com`)
  const emailOf = (key: string) => addresses[keys.indexOf(key) % addresses.length] ?? ''
  const post = (tenant: Side, key: string): Promise<Answer<{ member?: { id: string }; code?: string }>> =>
    tenant.admin.post('/members', { email: emailOf(key) }, { headers: { 'idempotency-key': key } })
  const answers = await Promise.all(
    Array.from({ length: 300 }, async (_, n) => {
      const [tenant, key] = [n % 2 === 0 ? side : other, keys[(n * 7) % keys.length] ?? '']
      return { tenant, key, ...(await post(tenant, key)) }
    }),
  )
  for (const { tenant, key, status, body } of answers) {
    if (status === 409) expect(body.code).toBe('IDEMPOTENCY_IN_PROGRESS')
    else {
      const again = await post(tenant, key)
      expect([again.status, again.body, again.headers['idempotent-replayed']]).toEqual([status, body, 'true'])
    }
  }
  for (const tenant of [side, other]) {
    const created = new Set(
      answers.flatMap((each) => (each.tenant === tenant ? (each.body.member?.id ?? []) : [])),
    )
    const { rows } = await api.owner.query(
      `select count(*)::int as members, count(distinct email)::int as addresses,
         (select count(*)::int from events e where e.type = 'member.created' and e.project_id = $1) as events
       from members where project_id = $1 and email = any ($2)`,
      [tenant.projectId, addresses],
    )
    expect(rows).toEqual([{ members: created.size, addresses: created.size, events: created.size }])
    expect(created.size).toBeGreaterThan(addresses.length / 4)
  }
})
