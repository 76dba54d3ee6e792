import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Actor } from '#platform/actor.ts'
import { newUuid } from '#platform/ids.ts'
import { appendToNote, insertNote, noteById, openNotes, raw, tripsOf } from '#testkit/areas/notes.ts'
import { SOON } from '#testkit/soon.ts'
import { type Context, inProject } from './tenant.ts'

const SYSTEM: Actor = { kind: 'system', reason: 'test' }
const reciprocal = raw(
  'reciprocal',
  (v: { of: number }) => sql<{ n: number }>`select 1 / ${v.of}::int as n`,
  {},
  'lookup',
)
const pause = raw('pause', () => sql<object>`select pg_sleep(30)`, {}, 'lookup')

let env: Awaited<ReturnType<typeof openNotes>>
let pool: pg.Pool
let a: string
let b: string

beforeAll(async () => {
  env = await openNotes()
  pool = env.pool
})
afterAll(() => env.close())
beforeEach(() => {
  a = newUuid()
  b = newUuid()
})

const within = <T>(projectId: string, work: (ctx: Context) => PromiseLike<T>, at = pool) =>
  inProject(at, projectId, SYSTEM, work)
const makeNote = (projectId: string, text: string) =>
  within(projectId, (ctx) => ctx.tx.single(insertNote, { id: newUuid(), text }))
const find = (projectId: string, id: string) => within(projectId, (ctx) => ctx.tx.first(noteById, { id }))

test('what a project looks up at once travels together, eight at a time, and each gets its own answer', async () => {
  const notes = await Promise.all(Array.from({ length: 20 }, (_, n) => makeNote(a, `note ${n}`)))
  const count = await tripsOf(pool, async () => {
    expect(await Promise.all(notes.map(({ id }) => find(a, id)))).toEqual(notes)
  })
  expect(count).toBe(3)
})

test('lookups of two projects travel together, and each finds its own rows only', async () => {
  const [ofA, ofB] = [await makeNote(a, 'of a'), await makeNote(b, 'of b')]
  const count = await tripsOf(pool, async () => {
    const found = await Promise.all([find(a, ofA.id), find(b, ofB.id), find(a, ofB.id), find(b, ofA.id)])
    expect(found).toEqual([ofA, ofB, undefined, undefined])
  })
  expect(count).toBe(1)
})

test('a lookup that writes is refused by PostgreSQL', async () => {
  const note = await makeNote(a, 'there')
  const writing = { ...appendToNote, group: 'lookup' as const }
  const asked = within(a, (ctx) => ctx.tx.one(writing, { id: note.id, more: '!' }, 'Note'))
  await expect(asked).rejects.toMatchObject({ code: '25006' })
  expect(await find(a, note.id)).toEqual(note)
})

test('one that fails leaves those that travelled with it their answers', async () => {
  const values = [1, 0, 1, 0]
  const answers = await Promise.allSettled(
    values.map((of) => within(a, (ctx) => ctx.tx.one(reciprocal, { of }, 'Number'))),
  )
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected'])
  expect(pool.idleCount).toBe(pool.totalCount)
})

test('one that takes too long is ended, and those that travelled with it are answered', async () => {
  const [ofA, ofB] = [await makeNote(a, 'of a'), await makeNote(b, 'of b')]
  const limit = raw(
    'limit',
    () => sql<object>`select set_config('statement_timeout', '300', true)`,
    {},
    'lookup',
  )
  const ask = (statement: typeof pause) => within(a, (ctx) => ctx.tx.first(statement, {}))
  const answers = Promise.allSettled([ask(limit), ask(pause), find(a, ofA.id), find(b, ofB.id)])
  expect(await tripsOf(pool, () => answers)).toBe(2)
  expect(await answers).toMatchObject([
    { status: 'fulfilled' },
    { reason: { status: 503, code: 'UNAVAILABLE' } },
    { value: ofA },
    { value: ofB },
  ])
})

test('one that finds nothing is missing by itself', async () => {
  const note = await makeNote(a, 'there')
  const [found, missing] = await Promise.allSettled([
    find(a, note.id),
    within(a, (ctx) => ctx.tx.one(noteById, { id: newUuid() }, 'Note')),
  ])
  expect(found).toMatchObject({ value: note })
  expect(missing).toMatchObject({ reason: { status: 404, message: 'Note not found' } })
})

test('a connection that is lost fails all that are on it, none is tried twice, and the next one is served', async () => {
  const asked = Promise.allSettled([1, 2].map(() => within(a, (ctx) => ctx.tx.first(pause, {}))))
  await vi.waitFor(async () => {
    const { rowCount } = await pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where query like 'select pg_sleep(30)%' and usename = current_user",
    )
    expect(rowCount).toBe(1)
  }, SOON)
  expect((await asked).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  const note = await makeNote(a, 'after')
  expect(await find(a, note.id)).toEqual(note)
})
