import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { Actor } from '#platform/actor.ts'
import { newUuid } from '#platform/ids.ts'
import { allNotes, appendToNote, findNote, insertNote, makeNotes, type Note } from '#testkit/areas/notes.ts'
import { cloneDatabase, type TestDatabase } from '#testkit/database.ts'
import { startFreezingProxy } from '#testkit/servers/freezing-proxy.ts'
import { startTransactionPooler, type TransactionPooler } from '#testkit/servers/transaction-pooler.ts'
import { isOutage, translate } from './pg-errors.ts'
import { openPool } from './pool.ts'
import { dataOf } from './tenant.ts'

// PostgreSQL has committed, and its answer is lost. PgBouncer says so with an error of PostgreSQL's form.

const SYSTEM: Actor = { kind: 'system', reason: 'test' }
const UNAVAILABLE = { status: 503, code: 'UNAVAILABLE' }

let database: TestDatabase
let pooler: TransactionPooler
let pool: pg.Pool
let a: string
let b: string

beforeAll(async () => {
  database = await cloneDatabase()
  await makeNotes(database)
  pooler = await startTransactionPooler(database.url)
  const config = { DATABASE_URL: pooler.url, SECRET_KEY: database.secretKey }
  pool = openPool(config, { role: 'api', size: 4, onError: () => {} })
})
afterAll(async () => {
  await pool.end()
  await pooler.close()
  await database.drop()
})
beforeEach(() => {
  a = newUuid()
  b = newUuid()
})

const data = (projectId: string, at = pool) => dataOf(at, projectId, SYSTEM)
const makeNote = (projectId: string) => data(projectId).write(insertNote({ id: newUuid(), text: 'note' }))
const find = async (projectId: string, { id }: Pick<Note, 'id'>, at = pool) =>
  (await data(projectId, at).read({ note: findNote({ id }) })).note
const list = async (projectId: string, at = pool) =>
  (await data(projectId, at).read({ notes: allNotes() })).notes
const append = appendToNote.one('Note')
const change = (projectId: string, { id }: Note) => data(projectId).write(append({ id, more: '!' }))

test('writes of several projects whose answers are lost are not done again, and are answered 503', async () => {
  const [ofA, ofB] = [await makeNote(a), await makeNote(b)]
  pooler.loseAnswer()
  expect(await Promise.allSettled([change(a, ofA), change(b, ofB)])).toMatchObject([
    { reason: UNAVAILABLE },
    { reason: UNAVAILABLE },
  ])
  expect([await find(a, ofA), await find(b, ofB)]).toMatchObject([{ text: 'note!' }, { text: 'note!' }])
})

test('whoever loses the answer of a lookup, or of a list, is answered 503', async () => {
  const note = await makeNote(a)
  pooler.loseAnswer()
  expect(await Promise.allSettled([find(a, note), find(b, note)])).toMatchObject([
    { reason: UNAVAILABLE },
    { reason: UNAVAILABLE },
  ])
  pooler.loseAnswer()
  await expect(list(a)).rejects.toMatchObject(UNAVAILABLE)
  expect(await find(a, note)).toEqual(note)
})

test('whoever comes while PostgreSQL refuses the login, or has no such database, is answered 503, and work is tried again', async () => {
  const config = { DATABASE_URL: `${database.url}_nowhere`, SECRET_KEY: database.secretKey }
  const refused = openPool(config, { role: 'api', size: 1, onError: () => {} })
  onTestFinished(() => refused.end())
  await expect(list(a, refused)).rejects.toMatchObject(UNAVAILABLE)
  for (const code of ['28P01', '28000', '3D000']) {
    const error = Object.assign(new pg.DatabaseError('refused', 1, 'error'), { code })
    expect([code, translate(error, []), isOutage(error)]).toMatchObject([code, UNAVAILABLE, true])
  }
})

test('whoever gets no answer at all, because the network is broken, is answered 503 after 45 seconds', async () => {
  const proxy = await startFreezingProxy(database.url)
  const config = { DATABASE_URL: proxy.url, SECRET_KEY: database.secretKey }
  const broken = openPool(config, { role: 'api', size: 2, onError: () => {} })
  onTestFinished(async () => {
    vi.useRealTimers()
    await broken.end()
    await proxy.close()
  })
  const id = newUuid()
  const ask = () => [list(a, broken), find(b, { id }, broken)]
  await Promise.all(ask())
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  proxy.freeze()
  let ended = 0
  const asked = ask().map((each) =>
    Promise.resolve(each).finally(() => {
      ended += 1
    }),
  )
  const outcomes = Promise.allSettled(asked)
  // A turn of the event loop, in which both are sent.
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  await vi.advanceTimersByTimeAsync(44_999)
  expect(ended).toBe(0)
  await vi.advanceTimersByTimeAsync(1)
  expect(await outcomes).toMatchObject([{ reason: UNAVAILABLE }, { reason: UNAVAILABLE }])
  vi.useRealTimers()
  proxy.thaw()
  expect(await list(a, broken)).toEqual([])
})

test('a plain statement without an answer gives its connection back after 45 seconds, too: a probe takes none away for ever', async () => {
  const proxy = await startFreezingProxy(database.url)
  const config = { DATABASE_URL: proxy.url, SECRET_KEY: database.secretKey }
  const broken = openPool(config, { role: 'keys', size: 2, onError: () => {} })
  onTestFinished(async () => {
    vi.useRealTimers()
    await broken.end()
    await proxy.close()
  })
  const ask = () => [1, 2].map((n) => broken.query('select $1::int as n', [n]))
  await Promise.all(ask())
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  proxy.freeze()
  const outcomes = Promise.allSettled(ask())
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  await vi.advanceTimersByTimeAsync(45_000)
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  vi.useRealTimers()
  expect(broken.totalCount).toBe(0)
  proxy.thaw()
  expect((await broken.query('select 3 as n')).rows).toEqual([{ n: 3 }])
})
