import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { Type } from 'typebox'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { defineError } from '#platform/define-error.ts'
import { defineEvent, emit } from '#platform/events/emit.ts'
import { type Answer, startApi, type TestApi } from '#testkit/api.ts'
import { compileCache } from '#testkit/compile-cache.ts'
import { cloneDatabase, type TestDatabase } from '#testkit/database.ts'
import { dyingRoutes } from '#testkit/environments/dying-api.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { SOON } from '#testkit/soon.ts'
import type { Api } from '../api.ts'
import { envelope } from '../envelope.ts'

const DYING_API = fileURLToPath(import.meta.resolve('#testkit/environments/dying-api.ts'))

let database: TestDatabase
let owner: pg.Client
let api: TestApi
let side: Side

const Done = Type.Object({ run: Type.Integer() })
const done = defineEvent({
  name: 'work.done',
  description: 'For tests',
  data: Done,
  example: { run: 1 },
  member: () => null,
})
let runs = 0
/** Opens when a handler that waits may go on. */
let gate = Promise.withResolvers<void>()

const refused = defineError({ code: 'REFUSED', message: 'For tests' })

/** Handlers that emit an event, which nothing keeps from being repeated, and then do not simply answer. */
function oddRoutes(routes: Api): void {
  dyingRoutes(routes)
  const odd = (path: string, before: (run: number) => Promise<void>, after: () => Promise<void>) =>
    routes.post(
      path,
      {
        config: { access: { secret: 'any' }, errors: [refused] },
        schema: { summary: 'For tests', tags: ['Members'], response: { 201: envelope(Done) } },
      },
      async (request) => {
        const run = ++runs
        await before(run)
        await request.write((ctx) => emit(ctx, done, { run }))
        await after()
        return { run }
      },
    )
  const nothing = async () => {}
  const waitFirst = async (run: number) => (run === 1 ? gate.promise : undefined)
  odd('/sleeps', waitFirst, nothing)
  odd('/slow-afterwards', nothing, () => gate.promise)
  odd('/refuses-afterwards', nothing, async () => {
    throw refused()
  })
}

beforeAll(async () => {
  database = await cloneDatabase()
  owner = new pg.Client({ connectionString: database.url })
  await owner.connect()
  api = await startApi({ database, extra: oddRoutes })
  ;[{ live: side }] = await makeProjects(api)
})
afterAll(async () => {
  await api.close()
  await owner.end()
  await database.drop()
})
beforeEach(async () => {
  runs = 0
  gate = Promise.withResolvers()
  await owner.query("delete from events where type in ('thing.happened', 'work.done')")
})

const events = async () =>
  Number(
    (await owner.query("select count(*) as n from events where type in ('thing.happened', 'work.done')"))
      .rows[0].n,
  )
const endLease = (key: string) =>
  owner.query("update idempotency_keys set leased_until = now() - interval '1 second' where key = $1", [key])
const replayed = (answer: Answer) => answer.headers['idempotent-replayed']

const post = <T = { code?: string; data?: { run: number } }>(path: string, key: string, body?: unknown) =>
  api.send<T>('POST', `/api/v1${path}`, { key: side.key, body, headers: { 'idempotency-key': key } })

/** A request to a process that dies over it. */
async function postAndDie(moment: string, key: string, path = '/things'): Promise<void> {
  const child: ChildProcess = spawn(process.execPath, [DYING_API], {
    env: {
      ...compileCache,
      DATABASE_URL: database.url,
      SECRET_KEY: database.secretKey,
      LOG_LEVEL: 'silent',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const [url] = await once(child.stdout as NodeJS.ReadableStream, 'data')
  const request = fetch(`${url}/api/v1${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${side.key}`,
      'content-type': 'application/json',
      'idempotency-key': key,
      'x-die': moment,
    },
    body: JSON.stringify({ name: 'one' }),
  })
  await expect(request).rejects.toThrow()
  expect(await ended).toEqual([null, 'SIGKILL'])
}

describe('an API process that is killed', () => {
  test('after its work leaves nothing behind; when its lease is over, the same request is done once', async () => {
    const key = randomUUID()
    await postAndDie('after its work', key)
    expect(await events()).toBe(0)
    expect((await post('/things', key, { name: 'one' })).body.code).toBe('IDEMPOTENCY_IN_PROGRESS')

    await endLease(key)
    expect((await post('/things', key, { name: 'other' })).body.code).toBe('IDEMPOTENCY_MISMATCH')
    const next = await post('/things', key, { name: 'one' })
    expect([next.status, replayed(next), await events()]).toEqual([201, undefined, 1])
  })

  test('after its work leaves not even the key behind, where the transaction of the work has taken it', async () => {
    const key = randomUUID()
    await postAndDie('after its work', key, '/things/at-once')
    const again = () => post('/things/at-once', key, { name: 'one' })
    // PostgreSQL has to notice that the connection is gone.
    const next = await vi.waitFor(async () => {
      const answer = await again()
      expect(answer.status).toBe(201)
      return answer
    }, SOON)
    expect([replayed(next), await events()]).toEqual([undefined, 1])
  })

  test.each(['/things', '/things/at-once'])(
    'between its commit and its answer leaves both: POST %s is answered at once, and done no more',
    async (path) => {
      const key = randomUUID()
      await postAndDie('before its answer', key, path)
      const { rows } = await owner.query("select payload from events where type = 'thing.happened'")
      expect(rows).toHaveLength(1)
      const next = await post<{ data: unknown }>(path, key, { name: 'one' })
      expect([next.status, replayed(next), next.body.data]).toEqual([201, 'true', rows[0].payload])
      expect(await events()).toBe(1)
    },
  )
})

describe('a process that lives', () => {
  test('and sleeps through its lease commits nothing of it any more', async () => {
    const key = randomUUID()
    const asleep = post('/sleeps', key)
    await expect.poll(() => runs).toBe(1)
    expect((await post('/sleeps', key)).body.code).toBe('IDEMPOTENCY_IN_PROGRESS')

    await endLease(key)
    const taker = await post('/sleeps', key)
    expect([taker.status, taker.body.data, replayed(taker)]).toEqual([201, { run: 2 }, undefined])

    gate.resolve()
    expect((await asleep).body.code).toBe('IDEMPOTENCY_IN_PROGRESS')
    expect(await events()).toBe(1)
    const again = await post('/sleeps', key)
    expect([again.body.data, replayed(again)]).toEqual([{ run: 2 }, 'true'])
  })

  test('and takes long from its work to its answer holds no locks meanwhile, and answers the same again', async () => {
    const key = randomUUID()
    let isAnswered = false
    const first = post('/slow-afterwards', key).finally(() => {
      isAnswered = true
    })
    await expect.poll(events).toBe(1)
    expect(isAnswered).toBe(false)
    gate.resolve()
    await first
    const again = await post('/slow-afterwards', key)
    expect([again.status, replayed(again), runs]).toEqual([201, 'true', 1])
  })

  test('and refuses after it has done something keeps both', async () => {
    const key = randomUUID()
    const first = await post('/refuses-afterwards', key)
    const again = await post('/refuses-afterwards', key)
    expect([first.status, again.status, replayed(again)]).toEqual([422, 422, 'true'])
    expect([await events(), runs]).toEqual([1, 1])
  })
})
