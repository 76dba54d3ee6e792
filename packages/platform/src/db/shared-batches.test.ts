import { sql } from 'kysely'
import type pg from 'pg'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Actor } from '#platform/actor.ts'
import { newUuid } from '#platform/ids.ts'
import { findNote, insertNote, noteById, roundTripsOf, withNotes } from '#testkit/areas/notes.ts'
import { SOON } from '#testkit/soon.ts'
import { defineLookup } from './query.ts'
import { dataOf } from './tenant.ts'

const SYSTEM: Actor = { kind: 'system', reason: 'test' }
const reciprocal = defineLookup(
  'reciprocal',
  (v: { of: number }) => sql<{ n: number }>`select 1 / ${v.of}::int as n`,
)
const pause = defineLookup('pause_30', () => sql`select pg_sleep(30)`)

let pool: pg.Pool
let a: string
let b: string

withNotes((env) => {
  pool = env.pool
})
beforeEach(() => {
  a = newUuid()
  b = newUuid()
})

const data = (projectId: string) => dataOf(pool, projectId, SYSTEM)
const makeNote = (projectId: string, text: string) =>
  data(projectId).write(insertNote({ id: newUuid(), text }))
const find = async (projectId: string, id: string) =>
  (await data(projectId).read({ note: findNote({ id }) })).note

test('what a project looks up at once travels together, eight at a time, and each gets its own answer', async () => {
  const notes = await Promise.all(Array.from({ length: 20 }, (_, n) => makeNote(a, `note ${n}`)))
  const count = await roundTripsOf(pool, async () => {
    expect(await Promise.all(notes.map(({ id }) => find(a, id)))).toEqual(notes)
  })
  expect(count).toBe(3)
})

test('lookups of two projects travel together, and each finds its own rows only', async () => {
  const [ofA, ofB] = [await makeNote(a, 'of a'), await makeNote(b, 'of b')]
  const count = await roundTripsOf(pool, async () => {
    const found = await Promise.all([find(a, ofA.id), find(b, ofB.id), find(a, ofB.id), find(b, ofA.id)])
    expect(found).toEqual([ofA, ofB, undefined, undefined])
  })
  expect(count).toBe(1)
})

test('a lookup that writes is refused by PostgreSQL', async () => {
  const note = await makeNote(a, 'there')
  const writing = defineLookup(
    'writing',
    (v: { id: string }) => sql`update notes set text = 'written' where id = ${v.id} returning id`,
  )
  const asked = data(a).read({ it: writing({ id: note.id }) })
  await expect(asked).rejects.toMatchObject({ code: '25006' })
  expect(await find(a, note.id)).toEqual(note)
})

test('one that fails leaves those that travelled with it their answers', async () => {
  const values = [1, 0, 1, 0]
  const answers = await Promise.allSettled(values.map((of) => data(a).read({ it: reciprocal({ of }) })))
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected'])
  expect(pool.idleCount).toBe(pool.totalCount)
})

test('one that takes too long is ended, and those that travelled with it are answered', async () => {
  const [ofA, ofB] = [await makeNote(a, 'of a'), await makeNote(b, 'of b')]
  const limit = defineLookup('limit', () => sql`select set_config('statement_timeout', '300', true)`)
  const ask = (lookup: typeof pause) => data(a).read({ it: lookup() })
  const answers = Promise.allSettled([ask(limit), ask(pause), find(a, ofA.id), find(b, ofB.id)])
  expect(await roundTripsOf(pool, () => answers)).toBe(2)
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
    data(a).read({ note: noteById.one('Note')({ id: newUuid() }) }),
  ])
  expect(found).toMatchObject({ value: note })
  expect(missing).toMatchObject({ reason: { status: 404, message: 'Note not found' } })
})

test('a connection that is lost fails all that are on it, none is tried twice, and the next one is served', async () => {
  const asked = Promise.allSettled([1, 2].map(() => data(a).read({ it: pause() })))
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
