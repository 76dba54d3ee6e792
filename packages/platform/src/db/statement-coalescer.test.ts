import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Actor } from '#platform/actor.ts'
import { newUuid } from '#platform/ids.ts'
import { allNotes, insertNote, type Note, openNotes, raw, TAKEN } from '#testkit/areas/notes.ts'
import { SOON } from '#testkit/soon.ts'
import { type Context, inProject } from './tenant.ts'

const SYSTEM: Actor = { kind: 'system', reason: 'test' }
const noteById = raw(
  'note_by_id',
  (v: { id: string }) => sql<Note>`select id, text from notes where id = ${v.id}`,
  {},
  'lookup',
)
const reciprocal = raw(
  'reciprocal',
  (v: { of: number }) => sql<{ n: number }>`select 1 / ${v.of}::int as n`,
  {},
  'lookup',
)
const append = raw(
  'append',
  (v: { id: string; more: string }) =>
    sql<Note>`update notes set text = text || ${v.more} where id = ${v.id} returning id, text`,
  TAKEN,
  'change',
)
const changeNote = raw(
  'change_note',
  (v: Note) => sql<Note>`update notes set text = ${v.text} where id = ${v.id} returning id, text`,
  TAKEN,
  'change',
)
const addNote = { ...insertNote, group: 'insert' as const }
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

/** How often a connection was taken while something ran. */
async function trips(work: () => Promise<unknown>): Promise<number> {
  let count = 0
  const onAcquire = () => count++
  pool.on('acquire', onAcquire)
  await work()
  pool.off('acquire', onAcquire)
  return count
}

test('what a project looks up at once travels together, eight at a time, and each gets its own answer', async () => {
  const notes = await Promise.all(Array.from({ length: 20 }, (_, n) => makeNote(a, `note ${n}`)))
  const count = await trips(async () => {
    expect(await Promise.all(notes.map(({ id }) => find(a, id)))).toEqual(notes)
  })
  expect(count).toBe(3)
})

test('lookups of two projects travel together, and each finds its own rows only', async () => {
  const [ofA, ofB] = [await makeNote(a, 'of a'), await makeNote(b, 'of b')]
  const count = await trips(async () => {
    const found = await Promise.all([find(a, ofA.id), find(b, ofB.id), find(a, ofB.id), find(b, ofA.id)])
    expect(found).toEqual([ofA, ofB, undefined, undefined])
  })
  expect(count).toBe(1)
})

test('writes of two projects never travel together', async () => {
  const [ofA, ofB] = [await makeNote(a, 'of a'), await makeNote(b, 'of b')]
  const change = (projectId: string, id: string) =>
    within(projectId, (ctx) => ctx.tx.one(append, { id, more: '!' }, 'Note'))
  const count = await trips(() => Promise.all([change(a, ofA.id), change(b, ofB.id)]))
  expect(count).toBe(2)
})

test('a lookup that writes is refused by PostgreSQL', async () => {
  const note = await makeNote(a, 'there')
  const writing = { ...append, group: 'lookup' as const }
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
  expect(await trips(() => answers)).toBe(2)
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

test('writes share a transaction, and one that is refused leaves the others theirs, once', async () => {
  const notes = await Promise.all(['1', '2', '3', 'taken'].map((text) => makeNote(a, text)))
  const [first, second, third] = notes.map(({ id }) => id) as [string, string, string]
  const change = (id: string, more: string) => within(a, (ctx) => ctx.tx.one(append, { id, more }, 'Note'))
  expect(await trips(() => Promise.all([change(first, 'a'), change(second, 'b'), change(third, 'c')]))).toBe(
    1,
  )
  const answers = await Promise.allSettled([
    change(first, 'a'),
    within(a, (ctx) => ctx.tx.one(changeNote, { id: second, text: 'taken' }, 'Note')),
    change(third, 'c'),
    change(newUuid(), 'd'),
  ])
  expect(answers).toMatchObject([
    { status: 'fulfilled' },
    { reason: { status: 422, code: 'TEXT_TAKEN' } },
    { status: 'fulfilled' },
    { reason: { status: 404 } },
  ])
  const found = await Promise.all([first, second, third].map((id) => find(a, id)))
  expect(found.map((note) => note?.text)).toEqual(['1aa', '2b', '3cc'])
})

test('inserts share a transaction with each other only, and of those that want the same one gets it', async () => {
  const add = (text: string) => within(a, (ctx) => ctx.tx.single(addNote, { id: newUuid(), text }))
  const note = await makeNote(a, 'there')
  expect(await trips(() => Promise.all([add('1'), add('2'), add('3')]))).toBe(1)
  expect(await trips(() => Promise.all([add('4'), find(a, note.id), add('5'), find(a, note.id)]))).toBe(2)
  const answers = await Promise.allSettled(['6', 'same', '7', 'same', 'there', '8'].map(add))
  const refusals = answers.filter((answer) => answer.status === 'rejected')
  expect(refusals.map(({ reason }) => reason.code)).toEqual(['TEXT_TAKEN', 'TEXT_TAKEN'])
  const notes = await within(a, (ctx) => ctx.tx.all(allNotes, {}))
  expect(notes.map(({ text }) => text)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', 'same', 'there'])
})

test('writes that travel with one that waits too long for a row are answered meanwhile, each once', async () => {
  const [first, locked, third] = await Promise.all(['1', '2', '3'].map((text) => makeNote(a, text)))
  const change = ({ id }: Note, more: string) => within(a, (ctx) => ctx.tx.one(append, { id, more }, 'Note'))
  const limit = raw(
    'limit_of_change',
    () => sql<object>`select set_config('statement_timeout', '300', true)`,
    {},
    'change',
  )
  const answered: string[] = []
  const note = (answer: Promise<Note>) => answer.then(({ text }) => void answered.push(text))
  let all: Promise<unknown> = Promise.resolve()
  await within(a, async (ctx) => {
    await ctx.tx.one(changeNote, { id: (locked as Note).id, text: 'held' }, 'Note')
    const limited = within(a, (other) => other.tx.first(limit, {}))
    const changes = [change(first as Note, 'a'), change(locked as Note, 'b'), change(third as Note, 'c')]
    all = Promise.all([limited, ...changes.map(note)])
    await vi.waitFor(() => expect(answered.toSorted()).toEqual(['1a', '3c']), SOON)
  })
  await all
  expect(answered).toHaveLength(3)
  const notes = await within(a, (ctx) => ctx.tx.all(allNotes, {}))
  expect(notes.map(({ text }) => text)).toEqual(['1a', '3c', 'heldb'])
})
