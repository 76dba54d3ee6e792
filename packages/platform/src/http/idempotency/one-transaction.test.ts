import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { Type } from 'typebox'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { Batch } from '#platform/db/batch.ts'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { defineEvent, emit } from '#platform/events/emit.ts'
import { type Answer, type RequestOptions, startApi, type TestApi } from '#testkit/api.ts'
import { cloneDatabase, type TestDatabase } from '#testkit/database.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { SOON } from '#testkit/soon.ts'
import type { Api } from '../api.ts'
import { envelope, strict } from '../envelope.ts'

// Routes with `oneTransaction`: the key is taken by the transaction that does the work.

const Done = Type.Object({ run: Type.Integer() })
const done = defineEvent({
  name: 'work.done',
  description: 'For tests',
  data: Done,
  example: { run: 1 },
  member: () => null,
})
const backend = defineQuery('backend_in_test', () =>
  query.selectNoFrom(({ fn }) => fn<number>('pg_backend_pid', []).as('pid')),
).single()

let database: TestDatabase
let owner: pg.Client
let api: TestApi
let side: Side
let stranger: Side
let runs = 0
let pid = 0
/** Opens when a handler that has done its work may answer. */
let gate = Promise.withResolvers<void>()

function routes(to: Api): void {
  const add = (path: string, afterwards: () => Promise<void>, transactions = 1) =>
    to.post(
      path,
      {
        config: { access: { secret: 'any' }, oneTransaction: true },
        schema: {
          summary: 'For tests',
          tags: ['Members'],
          body: strict({ name: Type.Optional(Type.String()) }),
          response: { 201: envelope(Done) },
        },
      },
      async (request) => {
        const run = ++runs
        for (let n = 0; n < transactions; n++)
          await request.write(async (ctx) => {
            ;({ pid } = await backend(ctx))
            emit(ctx, done, { run })
          })
        await afterwards()
        return { run }
      },
    )
  add('/waits', () => gate.promise)
  add('/twice', () => gate.promise, 2)
}

beforeAll(async () => {
  database = await cloneDatabase()
  owner = new pg.Client({ connectionString: database.url })
  await owner.connect()
  api = await startApi({ database, extra: routes })
  const projects = await makeProjects(api)
  side = projects[0].live
  stranger = projects[1].live
})
afterAll(async () => {
  await api.close()
  await owner.end()
  await database.drop()
})
beforeEach(async () => {
  runs = 0
  pid = 0
  gate = Promise.withResolvers()
  await owner.query("delete from events where type = 'work.done'")
})

function post<T = { code?: string; data?: { run: number } }>(
  path: string,
  key: string | undefined,
  body: unknown = {},
  options: RequestOptions = {},
) {
  const headers = { ...(key !== undefined && { 'idempotency-key': key }) }
  return api.send<T>('POST', `/api/v1${path}`, { key: side.key, body, headers, ...options })
}
const events = async () =>
  Number((await owner.query("select count(*) as n from events where type = 'work.done'")).rows[0].n)
const replayed = ({ headers }: Answer) => headers['idempotent-replayed']
const seen = (answer: Answer<{ code?: string; data?: { run: number } }>) => [
  answer.status,
  answer.body.code ?? answer.body.data,
  replayed(answer),
]
const untilRun = () => vi.waitFor(() => expect(pid).not.toBe(0), SOON)

describe('a key that its own transaction takes', () => {
  test('costs one round trip more than the request without it', async () => {
    const member = () => ({ email: `${randomUUID()}@example.com` })
    const roundTrips = async (key?: string) => {
      const spy = vi.spyOn(Batch.prototype, 'submit')
      expect((await post('/members', key, member())).status).toBe(201)
      const { calls } = spy.mock
      spy.mockRestore()
      return calls.length
    }
    await roundTrips(randomUUID())
    expect([await roundTrips(), await roundTrips(randomUUID())]).toEqual([1, 2])
  })

  test('refuses a second request at once while the first is under way, and no request with another key', async () => {
    const key = randomUUID()
    const first = post('/waits', key)
    await untilRun()
    const second = await post('/waits', key)
    expect([second.status, second.body.code, second.headers['retry-after']]).toEqual([
      409,
      'IDEMPOTENCY_IN_PROGRESS',
      '1',
    ])
    gate.resolve()
    expect(seen(await post('/waits', randomUUID()))).toEqual([201, { run: 3 }, undefined])
    expect(seen(await first)).toEqual([201, { run: 1 }, undefined])
    expect(seen(await post('/waits', key))).toEqual([201, { run: 1 }, 'true'])
    expect(await events()).toBe(2)
  })

  test('is another key in another project, also while it is taken', async () => {
    const key = randomUUID()
    const first = post('/waits', key)
    await untilRun()
    gate.resolve()
    expect(
      seen(await post('/waits', key, {}, { key: stranger.key, headers: { 'idempotency-key': key } })),
    ).toEqual([201, { run: 2 }, undefined])
    expect((await first).status).toBe(201)
  })

  test('answers the first answer although the work could not be done a second time', async () => {
    const [key, body] = [randomUUID(), { email: `${randomUUID()}@example.com` }]
    const first = await post('/members', key, body)
    const again = await post('/members', key, body)
    expect([again.status, again.body, replayed(again)]).toEqual([201, first.body, 'true'])
    const other = await post('/members', key, { ...body, full_name: 'Other' })
    expect([other.status, other.body.code, other.headers['retry-after']]).toEqual([
      422,
      'IDEMPOTENCY_MISMATCH',
      undefined,
    ])
  })

  test('is free again when the connection is lost before the commit, and nothing was done', async () => {
    const key = randomUUID()
    const first = post('/waits', key)
    await untilRun()
    await owner.query('select pg_terminate_backend($1)', [pid])
    gate.resolve()
    expect(seen(await first)).toEqual([503, 'UNAVAILABLE', undefined])
    expect(await events()).toBe(0)
    await vi.waitFor(
      async () => expect(seen(await post('/waits', key))).toEqual([201, { run: runs }, undefined]),
      SOON,
    )
    expect(await events()).toBe(1)
  })

  test('is leased when the answer takes long: no lock is held meanwhile, and the answer is kept', async () => {
    const key = randomUUID()
    const first = post('/waits', key)
    await vi.waitFor(async () => expect(await events()).toBe(1), SOON)
    expect(seen(await post('/waits', key))).toEqual([409, 'IDEMPOTENCY_IN_PROGRESS', undefined])
    gate.resolve()
    expect(seen(await first)).toEqual([201, { run: 1 }, undefined])
    expect(seen(await post('/waits', key))).toEqual([201, { run: 1 }, 'true'])
    expect(await events()).toBe(1)
  })

  test('is leased between the transactions of a handler that has two after all', async () => {
    const key = randomUUID()
    const first = post('/twice', key)
    await vi.waitFor(async () => expect(await events()).toBe(1), SOON)
    expect(seen(await post('/twice', key))).toEqual([409, 'IDEMPOTENCY_IN_PROGRESS', undefined])
    gate.resolve()
    expect(seen(await first)).toEqual([201, { run: 1 }, undefined])
    expect(seen(await post('/twice', key))).toEqual([201, { run: 1 }, 'true'])
    expect(await events()).toBe(2)
  })

  test('is not kept with a result that PostgreSQL refuses to commit: nothing is done, nor done again behind an answer', async () => {
    await owner.query(`create function public.conflict() returns trigger language plpgsql as
      $$ begin raise exception 'conflict' using errcode = 'serialization_failure'; end $$`)
    await owner.query(
      "create constraint trigger conflicting after insert on events deferrable initially deferred for each row when (new.type = 'work.done') execute function public.conflict()",
    )
    const key = randomUUID()
    gate.resolve()
    const refused = await post('/waits', key)
    await owner.query('drop function public.conflict() cascade')
    expect([...seen(refused), runs, await events()]).toEqual([503, 'UNAVAILABLE', undefined, 1, 0])
    expect(seen(await post('/waits', key))).toEqual([201, { run: 2 }, undefined])
  })
})
