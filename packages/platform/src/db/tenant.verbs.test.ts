import { sql } from 'kysely'
import type pg from 'pg'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Actor } from '#platform/actor.ts'
import { newUuid } from '#platform/ids.ts'
import { type Note, type NotesEnvironment, roundTripsOf, TAKEN, withNotes } from '#testkit/areas/notes.ts'
import { Batch } from './batch.ts'
import { answering, askAll, defineLookup, defineQuery, deriveQuery, together } from './query.ts'
import { type Context, dataOf } from './tenant.ts'

// `read` and `write`: what they promise does not depend on what is awaited.

const SYSTEM: Actor = { kind: 'system', reason: 'test' }

const addNote = defineQuery(
  'add_note',
  (v: Note) =>
    sql<Note & { xact: string }>`insert into notes (id, text) values (${v.id}, ${v.text})
      returning id, text, pg_current_xact_id()::text as xact`,
  TAKEN,
).single()
const addShared = defineQuery(
  'add_note_shared',
  (v: Note) =>
    sql<{ xact: string }>`insert into notes (id, text) values (${v.id}, ${v.text})
      returning id, pg_current_xact_id()::text as xact, 1 as shared`,
  TAKEN,
  { group: 'insert' },
).single()
const noteById = defineLookup(
  'find_note',
  (v: { id: string }) => sql<Note>`select id, text from notes where id = ${v.id}`,
)
const findNote = noteById.first()
const getNote = noteById.one('Note')
const notes = defineQuery('notes', () => sql<Note>`select id, text from notes order by text`)
const listTexts = notes.map(({ text }) => text)
const renameNote = defineQuery(
  'rename_note',
  (v: Note) => sql<Note>`update notes set text = ${v.text} where id = ${v.id} returning id, text`,
  TAKEN,
).one('Note')
const refuse = defineQuery('refuse', (v: { code: string }) => sql`select app_test_refuse(${v.code})`)
const transaction = defineQuery(
  'transaction',
  () => sql<{ xact: string }>`select pg_current_xact_id()::text as xact`,
).single()
const writing = defineQuery(
  'write_in_read',
  (v: Note) => sql<Note>`insert into notes (id, text) values (${v.id}, ${v.text}) returning id, text`,
)

let env: NotesEnvironment
let pool: pg.Pool
let projectId: string

withNotes(async (opened) => {
  env = opened
  pool = env.pool
  await env.owner.query(`create function public.app_test_refuse(code text) returns void language plpgsql as
    $$ begin raise exception 'refused' using errcode = code; end $$`)
})
beforeEach(() => {
  projectId = newUuid()
})

const data = (project = projectId) => dataOf(pool, project, SYSTEM)
const note = (text: string): Note => ({ id: newUuid(), text })
const texts = async () => (await data().read({ found: listTexts() })).found
/** Whether a test awaits each result, or none. */
const waiting = {
  'each result is awaited': async (result: PromiseLike<unknown>) => void (await result),
  'no result is awaited': async (_result: PromiseLike<unknown>) => undefined,
}

describe.each(Object.entries(waiting))('write, where %s', (_name, maybe) => {
  test('commits all statements in one transaction, in the order of their calls', async () => {
    const xacts: PromiseLike<{ xact: string }>[] = []
    await data().write(async (ctx) => {
      const first = note('1')
      const asked = [addNote(ctx, first), addNote(ctx, note('2')), transaction(ctx)]
      for (const each of asked) await maybe(each)
      await maybe(renameNote(ctx, { ...first, text: '3' }))
      xacts.push(...asked)
    })
    expect(new Set((await Promise.all(xacts)).map(({ xact }) => xact)).size).toBe(1)
    expect(await texts()).toEqual(['2', '3'])
  })

  test('rolls everything back where a constraint is violated', async () => {
    await data().write(addNote(note('taken')))
    const work = data().write(async (ctx) => {
      await maybe(addNote(ctx, note('1')))
      await maybe(addNote(ctx, note('taken')))
      await maybe(addNote(ctx, note('2')))
    })
    await expect(work).rejects.toMatchObject({ status: 422, code: 'TEXT_TAKEN' })
    expect(await texts()).toEqual(['taken'])
  })

  test('rolls everything back where a row that there must be is missing', async () => {
    const work = data().write(async (ctx) => {
      await maybe(addNote(ctx, note('1')))
      await maybe(renameNote(ctx, note('none')))
      await maybe(addNote(ctx, note('2')))
    })
    await expect(work).rejects.toMatchObject({ status: 404, message: 'Note not found' })
    expect(await texts()).toEqual([])
  })

  test('rolls everything back where a mapping refuses its row', async () => {
    const refusing = notes.map(() => {
      throw new TypeError('refused')
    })
    const work = data().write(async (ctx) => {
      await maybe(addNote(ctx, note('1')))
      await maybe(refusing(ctx))
    })
    await expect(work).rejects.toThrow('refused')
    expect(await texts()).toEqual([])
  })

  test('rolls everything back where the function throws', async () => {
    const work = data().write(async (ctx) => {
      await maybe(addNote(ctx, note('1')))
      throw new Error('thrown')
    })
    await expect(work).rejects.toThrow('thrown')
    expect(await texts()).toEqual([])
  })

  test.each(['40001', '40P01'])('is done again as a whole after %s, until it succeeds', async (code) => {
    let attempts = 0
    await data().write(async (ctx) => {
      attempts++
      await maybe(addNote(ctx, note(`attempt ${attempts}`)))
      if (attempts < 3) await maybe(refuse(ctx, { code }))
    })
    expect([attempts, await texts()]).toEqual([3, ['attempt 3']])
  })

  test('is never shared with another', async () => {
    const seen: string[] = []
    const write = () =>
      data().write(async (ctx) => {
        const result = addShared(ctx, note(newUuid()))
        await maybe(result)
        return () => result
      })
    for (const result of await Promise.all([write(), write(), write()])) seen.push((await result()).xact)
    expect(new Set(seen).size).toBe(3)
  })
})

describe('write', () => {
  test('answers what it asks together by name, in the order of the names and in one round trip', async () => {
    const mine = note('mine')
    await data().write(async (ctx) => {
      const answers = together(ctx, {
        before: listTexts(),
        made: addNote(mine),
        found: getNote({ id: mine.id }),
        none: answering(undefined),
      })
      const roundTrips = await roundTripsOf(pool, async () => void (await answers))
      expect(roundTrips).toBe(1)
      expect(await answers).toMatchObject({ before: [], made: mine, found: mine, none: undefined })
    })
    const refused = data().write((ctx) => {
      together(ctx, { made: addNote(note('undone')), missing: getNote({ id: newUuid() }) })
    })
    await expect(refused).rejects.toMatchObject({ status: 404 })
    expect(await texts()).toEqual(['mine'])
  })

  test('is done again where its function has caught the deadlock', async () => {
    let attempts = 0
    await data().write(async (ctx) => {
      attempts++
      await addNote(ctx, note('there'))
      if (attempts === 1)
        await Promise.resolve(refuse(ctx, { code: '40P01' })).catch(() => {
          throw new Error('another error')
        })
    })
    expect([attempts, await texts()]).toEqual([2, ['there']])
  })

  test('fails where its function has caught the failure of a statement and goes on', async () => {
    const work = data().write(async (ctx) => {
      await addNote(ctx, note('1'))
      await Promise.resolve(refuse(ctx, { code: '22012' })).catch(() => undefined)
    })
    await expect(work).rejects.toMatchObject({ status: 422, code: 'VALIDATION_ERROR' })
    expect(await texts()).toEqual([])
  })

  test('goes on where its function has caught that a row is missing', async () => {
    await data().write(async (ctx) => {
      const found = await Promise.resolve(getNote(ctx, { id: newUuid() })).catch(() => undefined)
      await addNote(ctx, note(found?.text ?? 'made'))
    })
    expect(await texts()).toEqual(['made'])
  })

  test('takes one round trip where nothing is awaited, and else one for each answer and the commit', async () => {
    const spy = vi.spyOn(Batch.prototype, 'submit')
    try {
      await data().write((ctx) => {
        addNote(ctx, note('1'))
        addNote(ctx, note('2'))
      })
      expect(spy).toHaveBeenCalledTimes(1)
      spy.mockClear()
      await data().write(async (ctx) => {
        addNote(ctx, note('3'))
        await addNote(ctx, note('4'))
        addNote(ctx, note('5'))
      })
      expect(spy).toHaveBeenCalledTimes(2)
      spy.mockClear()
      await data().write(addNote(note('6')))
      expect(spy).toHaveBeenCalledTimes(1)
    } finally {
      spy.mockRestore()
    }
    expect(await texts()).toEqual(['1', '2', '3', '4', '5', '6'])
  })

  test('of one statement that says so shares a transaction with those of other requests', async () => {
    const other = newUuid()
    const xacts = await Promise.all([
      data().write(addShared(note('1'))),
      data(other).write(addShared(note('1'))),
      data().write(addShared(note('2'))),
    ])
    expect(new Set(xacts.map(({ xact }) => xact)).size).toBe(1)
    expect([await texts(), (await data(other).read({ found: listTexts() })).found]).toEqual([
      ['1', '2'],
      ['1'],
    ])
  })

  test('of one statement writes nothing where its mapping refuses the row', async () => {
    const refusing = writing.map(() => {
      throw new TypeError('refused')
    })
    await expect(data().write(refusing(note('undone')))).rejects.toThrow('refused')
    await expect(data().write(askAll({ made: refusing(note('undone')) }))).rejects.toThrow('refused')
    expect(await texts()).toEqual([])
  })

  test('of one statement takes one round trip where its answer refuses nothing that was written', async () => {
    const spy = vi.spyOn(Batch.prototype, 'submit')
    try {
      const mine = note('mine')
      expect(await data().write(writing.shape(({ text }) => text).single()(mine))).toBe('mine')
      await data().write(renameNote({ ...mine, text: 'yours' }))
      expect(spy).toHaveBeenCalledTimes(2)
    } finally {
      spy.mockRestore()
    }
    expect(await texts()).toEqual(['yours'])
  })

  test('leaves no context behind: a query that comes late is refused', async () => {
    let left: Context | undefined
    await data().write((ctx) => {
      left = ctx
    })
    await expect(addNote(left as Context, note('late'))).rejects.toThrow('this transaction has ended')
    expect(await texts()).toEqual([])
  })
})

describe('read', () => {
  test('answers by name what it was asked, in one round trip', async () => {
    const [one, two] = [note('1'), note('2')]
    for (const each of [one, two]) await data().write(addNote(each))
    const roundTrips = await roundTripsOf(pool, async () => {
      const { first, missing, all } = await data().read({
        first: getNote({ id: one.id }),
        missing: findNote({ id: newUuid() }),
        all: notes(),
      })
      expect([first, missing, all]).toEqual([one, undefined, [one, two]])
    })
    expect(roundTrips).toBe(1)
  })

  test('of a single look-up shares its round trip with other requests, and answers each its own', async () => {
    const [other, mine] = [newUuid(), note('mine')]
    await data().write(addNote(mine))
    const spy = vi.spyOn(Batch.prototype, 'submit')
    const answers = await Promise.all([
      data().read({ found: findNote(mine) }),
      data(other).read({ found: findNote(mine) }),
      data().read({ found: getNote(mine) }),
    ])
    const calls = spy.mock.calls.length
    spy.mockRestore()
    expect([answers, calls]).toEqual([[{ found: mine }, { found: undefined }, { found: mine }], 1])
  })

  test('cannot write, by itself or with others', async () => {
    await expect(data().read({ it: writing(note('1')) })).rejects.toMatchObject({ code: '25006' })
    await expect(data().read({ all: notes(), it: writing(note('2')) })).rejects.toMatchObject({
      code: '25006',
    })
    expect(await texts()).toEqual([])
  })

  test('throws the error of the first that is refused or fails, in the order of the names', async () => {
    const failing = refuse({ code: '57014' })
    const missing = getNote({ id: newUuid() })
    await expect(data().read({ missing, failing })).rejects.toMatchObject({ status: 404 })
    await expect(data().read({ failing, missing })).rejects.toMatchObject({ status: 503 })
    await expect(data().read({ all: notes(), missing })).rejects.toMatchObject({ status: 404 })
  })

  test('asks what other values choose, and nothing where there is nothing to ask', async () => {
    const mine = note('mine')
    await data().write(addNote(mine))
    const maybeNote = deriveQuery((v: { id?: string }) =>
      v.id === undefined ? answering(undefined) : getNote({ id: v.id }),
    )
    const roundTrips = await roundTripsOf(pool, async () => {
      expect(await data().read({ none: maybeNote({}) })).toEqual({ none: undefined })
    })
    expect(roundTrips).toBe(0)
    expect(await data().read({ none: maybeNote({}), it: maybeNote(mine) })).toEqual({
      none: undefined,
      it: mine,
    })
    expect(await data().write((ctx) => maybeNote(ctx, mine))).toEqual(mine)
  })

  test('asks several questions as one, and throws the first refusal among them', async () => {
    const mine = note('mine')
    await data().write(addNote(mine))
    const noteAndAll = deriveQuery((v: { id: string }) => askAll({ note: getNote(v), all: notes() }))
    const none = newUuid()
    const roundTrips = await roundTripsOf(pool, async () => {
      const { both, texts } = await data().read({ both: noteAndAll({ id: mine.id }), texts: listTexts() })
      expect([both, texts]).toEqual([{ note: mine, all: [mine] }, ['mine']])
    })
    expect(roundTrips).toBe(1)
    expect(await data().write((ctx) => noteAndAll(ctx, { id: mine.id }))).toEqual({ note: mine, all: [mine] })
    await expect(data().read({ both: noteAndAll({ id: none }) })).rejects.toMatchObject({ status: 404 })
    const unawaited = data().write(async (ctx) => {
      await addNote(ctx, note('undone'))
      noteAndAll(ctx, { id: none })
    })
    await expect(unawaited).rejects.toMatchObject({ status: 404 })
    expect(await texts()).toEqual(['mine'])
  })
})
