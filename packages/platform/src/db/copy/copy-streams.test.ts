import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { newUuid } from '#platform/ids.ts'
import { makeNotes } from '#testkit/areas/notes.ts'
import { cloneDatabase, onServer, type TestDatabase } from '#testkit/database.ts'
import { ownTime } from '#testkit/own-time.ts'
import { SOON } from '#testkit/soon.ts'
import { csvRows } from '../../csv/row-writer.ts'
import { openPool } from '../pool.ts'
import { CopyStreams } from './copy-streams.ts'

// Streams of rows for exports: which rows they have, and what becomes of copies that nobody reads to their end.

let database: TestDatabase
let pool: Pool
let watching: Pool
const projects = [newUuid(), newUuid()]
const format = csvRows([])

beforeAll(async () => {
  database = await cloneDatabase()
  await makeNotes(database)
  const config = { DATABASE_URL: database.url, SECRET_KEY: database.secretKey }
  for (const id of projects)
    await onServer(
      database.url,
      `insert into notes select '${id}', gen_random_uuid(), 'note ' || n || ' of ${id}' from generate_series(1, 3) n`,
    )
  pool = openPool(config, { role: 'api', size: 6, onError: () => {} })
  watching = openPool(config, { role: 'api', size: 1, onError: () => {} })
})
afterAll(async () => {
  await pool.end()
  await watching.end()
  await database.drop()
})

const open = (sql: string, streams = new CopyStreams(pool)) =>
  streams.open(projects[0] ?? '', { sql, format })
/** Far more than anybody holds, a row of a kilobyte after the other. */
const ENDLESS = "select repeat('x', 1000) from (select generate_series(1, 100000000)) n"
const SPARSE = 'select n from (select generate_series(1, 100000000000) as n) s where n < 0'

/** Copies that PostgreSQL is at. */
const running = async () =>
  (
    await watching.query(
      "select pid from pg_stat_activity where datname = current_database() and query like 'copy (%' and state <> 'idle'",
    )
  ).rowCount
const untilNoneRuns = () => vi.waitFor(async () => expect(await running()).toBe(0), SOON)

test('brings the rows of its own project and no others', async () => {
  const rows = Buffer.concat(await (await open('select text from notes order by text')).toArray()).toString()
  expect(rows).toBe([1, 2, 3].map((n) => `note ${n} of ${projects[0]}\r\n`).join(''))
})

test('can write nothing', async () => {
  const copy = await open('select 1 from notes for update')
  await expect(copy.toArray()).rejects.toMatchObject({ code: '25006' })
})

test('gives its connection back, with nothing of the project left on it', async () => {
  const single = openPool(
    { DATABASE_URL: database.url, SECRET_KEY: database.secretKey },
    { role: 'api', size: 1, onError: () => {} },
  )
  onTestFinished(() => single.end())
  const streams = new CopyStreams(single)
  for (let i = 0; i < 3; i++) await (await open('select text from notes', streams)).toArray()
  const { rows } = await single.query(
    "select nullif(current_setting('app.project_id', true), '') as project, current_setting('statement_timeout') as timeout",
  )
  expect(rows).toEqual([{ project: null, timeout: '30s' }])
  expect(single.totalCount).toBe(1)
})

test.each([
  ['while it has something to send', ENDLESS],
  ['while it finds nothing', SPARSE],
])('a reader who goes ends the query %s', async (_when, sql) => {
  const copy = await open(sql)
  copy.on('error', () => undefined)
  await vi.waitFor(async () => expect(await running()).toBe(1), SOON)
  copy.destroy()
  await untilNoneRuns()
})

test('a reader who stops makes PostgreSQL wait, and holds no memory', async () => {
  const copy = await open(ENDLESS)
  onTestFinished(() => void copy.destroy())
  copy.once('readable', () => undefined)
  await sleep(500)
  const before = process.memoryUsage()
  await sleep(1_000)
  const { rss, external } = process.memoryUsage()
  expect(rss + external - before.rss - before.external).toBeLessThan(20 * 1024 * 1024)
  expect(await running()).toBe(1)
  await vi.waitFor(async () => {
    const { rows } = await watching.query(
      "select wait_event from pg_stat_activity where query like 'copy (%' and state = 'active' and datname = current_database()",
    )
    expect(rows).toEqual([{ wait_event: 'ClientWrite' }])
  }, SOON)
  copy.destroy()
  await untilNoneRuns()
})

test('a reader who stops for too long is not waited for', async () => {
  const copy = await open(ENDLESS, new CopyStreams(pool, { stallMs: 300 }))
  const failed = new Promise<Error>((resolve) => copy.once('error', resolve))
  copy.once('readable', () => undefined)
  expect((await failed).message).toBe('nobody goes on reading')
  await untilNoneRuns()
})

test('what fails midway fails, after what came before', async () => {
  const copy = await open(
    "select case when n = 50000 then (1 / (n - 50000))::text else repeat('x', 100) end from generate_series(1, 100000) n",
  )
  let bytes = 0
  const reading = (async () => {
    for await (const chunk of copy) bytes += chunk.length
  })()
  await expect(reading).rejects.toMatchObject({ code: '22012' })
  expect(bytes).toBeGreaterThan(1_000_000)
  await untilNoneRuns()
})

test('what is copied gives its connection back, also while nobody reads it yet', async () => {
  const copy = await open("select repeat('x', 1000) from (select generate_series(1, 100)) n")
  await vi.waitFor(() => expect(pool.idleCount).toBe(pool.totalCount), SOON)
  expect(Buffer.concat(await copy.toArray())).toHaveLength(100 * 1_002)
})

test('a transaction ends with its copy, however slowly it is read', async () => {
  const copy = await open("select repeat('x', 1000) from (select generate_series(1, 1000)) n")
  copy.once('readable', () => undefined)
  await vi.waitFor(async () => {
    const { rows } = await watching.query(
      "select state from pg_stat_activity where query like 'copy (%' and datname = current_database() order by query_start desc limit 1",
    )
    expect(rows).toEqual([{ state: 'idle' }])
  }, SOON)
  expect(pool.idleCount).toBe(pool.totalCount - 1)
  expect(Buffer.concat(await copy.toArray())).toHaveLength(1_000 * 1_002)
})

test('several at a time come whole', async () => {
  const streams = new CopyStreams(pool)
  const copies = await Promise.all(
    [1, 2, 3].map(() => open("select repeat('x', 1000) from (select generate_series(1, 60000)) n", streams)),
  )
  const sizes = await Promise.all(
    copies.map(async (copy) => {
      let bytes = 0
      for await (const chunk of copy) bytes += chunk.length
      return bytes
    }),
  )
  expect(sizes).toEqual(Array(3).fill(60_000 * 1_002))
})

test('those that nobody reads do not hold up another', async () => {
  const streams = new CopyStreams(pool)
  const idle = await Promise.all([1, 2].map(() => open(ENDLESS, streams)))
  onTestFinished(() => {
    for (const copy of idle) copy.destroy()
  })
  const spent = await ownTime(async () => {
    const copy = await open("select repeat('x', 1000) from (select generate_series(1, 30000)) n", streams)
    expect(Buffer.concat(await copy.toArray())).toHaveLength(30_000 * 1_002)
  })
  // A turn of each of the two would take four.
  expect(spent).toBeLessThan(4_000)
})

test('a copy gives way while others use the pool beside it, and only then', async () => {
  const copy = await open(ENDLESS, new CopyStreams(pool, { beside: [watching] }))
  onTestFinished(() => void copy.destroy())
  let bytes = 0
  copy.on('data', (chunk: Buffer) => {
    bytes += chunk.length
  })
  const bytesIn = async (ms: number, meanwhile: () => Promise<unknown>) => {
    const before = bytes
    for (let left = ms; left > 0; ) {
      const began = performance.now()
      await meanwhile()
      // A machine that stands still is not one that copies slowly.
      left -= Math.min(performance.now() - began, 50)
    }
    return bytes - before
  }
  await bytesIn(200, () => sleep(5))
  // In each turn of the event loop, so that a busy machine leaves no tick without a request.
  const beside = await bytesIn(800, async () => {
    ;(await watching.connect()).release()
    await setImmediate()
  })
  const alone = await bytesIn(800, () => sleep(5))
  // Two chunks in each tick of 16 ms, and what a late tick lets through.
  expect(beside).toBeLessThan(alone / 2)
})

test('a connection that is lost fails the copy', async () => {
  const copy = await open(ENDLESS)
  const failed = new Promise<Error>((resolve) => copy.once('error', resolve))
  copy.resume()
  await vi.waitFor(async () => expect(await running()).toBe(1), SOON)
  await onServer(
    database.url,
    "select pg_terminate_backend(pid) from pg_stat_activity where query like 'copy (%' and datname = current_database()",
  )
  expect(await failed).toBeInstanceOf(Error)
})

test('one project has three at a time, so that two cannot hold all eight, and others have theirs', async () => {
  const streams = new CopyStreams(pool)
  const copies = await Promise.all(Array.from({ length: 3 }, () => open(ENDLESS, streams)))
  onTestFinished(() => {
    for (const copy of copies) copy.destroy()
  })
  await expect(open(ENDLESS, streams)).rejects.toMatchObject({
    status: 429,
    code: 'RATE_LIMITED',
    limit: { requests: 3, scope: 'project' },
  })
  const other = await streams.open(projects[1] ?? '', { sql: 'select count(*) from notes', format })
  expect(String(await other.toArray())).toBe('3\r\n')
  for (const copy of copies) copy.destroy()
  await vi.waitFor(async () => (await open('select 1', streams)).toArray(), SOON)
})
