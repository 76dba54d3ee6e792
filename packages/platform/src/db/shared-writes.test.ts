import { sql } from 'kysely'
import type pg from 'pg'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Actor } from '#platform/actor.ts'
import { newUuid } from '#platform/ids.ts'
import {
  addNote,
  allNotes,
  appendToNote,
  findNote,
  insertNote,
  type Note,
  replaceText,
  roundTripsOf,
  withNotes,
} from '#testkit/areas/notes.ts'
import { SOON } from '#testkit/soon.ts'
import { defineQuery } from './query.ts'
import { dataOf } from './tenant.ts'

const SYSTEM: Actor = { kind: 'system', reason: 'test' }
const append = appendToNote.one('Note')
const replace = replaceText.one('Note')

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
const notesOf = async (projectId: string) => (await data(projectId).read({ notes: allNotes() })).notes

/** Changes one note. */
const change = (projectId: string, { id }: Note, more: string) => data(projectId).write(append({ id, more }))

test('writes of two projects travel together, and each changes its own rows only', async () => {
  const [ofA, ofB] = [await makeNote(a, 'of a'), await makeNote(b, 'of b')]
  const count = await roundTripsOf(pool, async () => {
    const asked = [change(a, ofA, '!'), change(b, ofB, '?'), change(a, ofB, '+'), change(b, ofA, '+')]
    expect(await Promise.allSettled(asked)).toMatchObject([
      { value: { text: 'of a!' } },
      { value: { text: 'of b?' } },
      { reason: { status: 404 } },
      { reason: { status: 404 } },
    ])
  })
  expect(count).toBe(1)
  expect([await find(a, ofA.id), await find(b, ofB.id)]).toMatchObject([{ text: 'of a!' }, { text: 'of b?' }])
})

test('inserts of two projects travel together, and each lands in its own', async () => {
  const add = (projectId: string) => data(projectId).write(addNote({ id: newUuid(), text: 'new' }))
  expect(await roundTripsOf(pool, () => Promise.all([add(a), add(b)]))).toBe(1)
  expect(await notesOf(a)).toMatchObject([{ text: 'new' }])
  expect(await notesOf(b)).toMatchObject([{ text: 'new' }])
  const again = await Promise.allSettled([add(a), add(b)])
  expect(again).toMatchObject([{ reason: { code: 'TEXT_TAKEN' } }, { reason: { code: 'TEXT_TAKEN' } }])
})

test("a project's write that waits for a row holds up no other project, and then travels alone", async () => {
  const [locked, ofB] = [await makeNote(a, 'of a'), await makeNote(b, 'of b')]
  let waiting: Promise<Note> | undefined
  await data(a).write(async (ctx) => {
    await replace(ctx, { id: locked.id, text: 'locked' })
    waiting = change(a, locked, ' and changed')
    expect(await change(b, ofB, '!')).toMatchObject({ text: 'of b!' })
    // The row is still locked, and the project that waits for it shares with nobody.
    const another = await makeNote(a, 'another')
    expect(await roundTripsOf(pool, () => Promise.all([change(a, another, '!'), change(b, ofB, '!')]))).toBe(
      2,
    )
  })
  expect(await waiting).toMatchObject({ text: 'locked and changed' })
  expect(await find(b, ofB.id)).toMatchObject({ text: 'of b!!' })
})

test("a project's write that is refused leaves other projects theirs, once", async () => {
  const [ofA, ofB] = [await makeNote(a, 'of a'), await makeNote(b, 'of b')]
  await makeNote(a, 'taken')
  const answers = await Promise.allSettled([
    data(a).write(replace({ id: ofA.id, text: 'taken' })),
    change(b, ofB, '!'),
    change(a, ofA, '!'),
  ])
  expect(answers).toMatchObject([
    { reason: { code: 'TEXT_TAKEN' } },
    { value: { text: 'of b!' } },
    { value: { text: 'of a!' } },
  ])
  expect([await find(a, ofA.id), await find(b, ofB.id)]).toMatchObject([{ text: 'of a!' }, { text: 'of b!' }])
})

test('writes share a transaction, and one that is refused leaves the others theirs, once', async () => {
  const notes = await Promise.all(['1', '2', '3', 'taken'].map((text) => makeNote(a, text)))
  const [first, second, third] = notes.map(({ id }) => id) as [string, string, string]
  const change = (id: string, more: string) => data(a).write(append({ id, more }))
  expect(
    await roundTripsOf(pool, () =>
      Promise.all([change(first, 'a'), change(second, 'b'), change(third, 'c')]),
    ),
  ).toBe(1)
  const answers = await Promise.allSettled([
    change(first, 'a'),
    data(a).write(replace({ id: second, text: 'taken' })),
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
  const add = (text: string) => data(a).write(addNote({ id: newUuid(), text }))
  const note = await makeNote(a, 'there')
  expect(await roundTripsOf(pool, () => Promise.all([add('1'), add('2'), add('3')]))).toBe(1)
  expect(
    await roundTripsOf(pool, () => Promise.all([add('4'), find(a, note.id), add('5'), find(a, note.id)])),
  ).toBe(2)
  const answers = await Promise.allSettled(['6', 'same', '7', 'same', 'there', '8'].map(add))
  const refusals = answers.filter((answer) => answer.status === 'rejected')
  expect(refusals.map(({ reason }) => reason.code)).toEqual(['TEXT_TAKEN', 'TEXT_TAKEN'])
  expect((await notesOf(a)).map(({ text }) => text)).toEqual([
    '1',
    '2',
    '3',
    '4',
    '5',
    '6',
    '7',
    '8',
    'same',
    'there',
  ])
})

test('writes that travel with one that waits too long for a row are answered meanwhile, each once', async () => {
  const [first, locked, third] = await Promise.all(['1', '2', '3'].map((text) => makeNote(a, text)))
  const limit = defineQuery(
    'limit_of_change',
    () => sql`select set_config('statement_timeout', '300', true)`,
    {},
    { group: 'change' },
  )
  const answered: string[] = []
  const note = (answer: Promise<Note>) => answer.then(({ text }) => void answered.push(text))
  let all: Promise<unknown> = Promise.resolve()
  await data(a).write(async (ctx) => {
    await replace(ctx, { id: (locked as Note).id, text: 'locked' })
    const limited = data(a).write(limit())
    const changes = [
      change(a, first as Note, 'a'),
      change(a, locked as Note, 'b'),
      change(a, third as Note, 'c'),
    ]
    all = Promise.all([limited, ...changes.map(note)])
    await vi.waitFor(() => expect(answered.toSorted()).toEqual(['1a', '3c']), SOON)
  })
  await all
  expect(answered).toHaveLength(3)
  expect((await notesOf(a)).map(({ text }) => text)).toEqual(['1a', '3c', 'lockedb'])
})
