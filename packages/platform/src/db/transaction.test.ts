import { sql } from 'kysely'
import type pg from 'pg'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Actor } from '#platform/actor.ts'
import { newUuid } from '#platform/ids.ts'
import {
  allNotes,
  asNumber,
  changeNote,
  insertNote,
  type NotesEnvironment,
  pause,
  withNotes,
} from '#testkit/areas/notes.ts'
import { Batch } from './batch.ts'
import { defineQuery } from './query.ts'
import { type Context, dataOf } from './tenant.ts'

const SYSTEM: Actor = { kind: 'system', reason: 'test' }

let env: NotesEnvironment
let pool: pg.Pool
let a: string

withNotes((opened) => {
  env = opened
  pool = env.pool
})
beforeEach(() => {
  a = newUuid()
})

const data = (at = pool) => dataOf(at, a, SYSTEM)
const note = (text: string) => ({ id: newUuid(), text })
const texts = async (at = pool) => (await data(at).read({ notes: allNotes() })).notes.map(({ text }) => text)

describe('answers', () => {
  test('can be awaited again, and each statement is run once', async () => {
    const [first, second] = await data().write(async (ctx) => {
      const one = insertNote(ctx, note('1'))
      const two = insertNote(ctx, note('2'))
      expect(await one).toBe(await one)
      return [await one, await two] as const
    })
    expect([first.text, second.text]).toEqual(['1', '2'])
    expect(await texts()).toEqual(['1', '2'])
  })

  test('that are waited for together come together', async () => {
    const roundTrips = vi.spyOn(Batch.prototype, 'submit')
    onTestFinished(() => roundTrips.mockRestore())
    const rows = await data().write(async (ctx) => {
      const inserted = ['x', 'y', 'z'].map((text) => insertNote(ctx, note(text)))
      return (await Promise.all(inserted)).map(({ text }) => text)
    })
    expect(rows).toEqual(['x', 'y', 'z'])
    // The statements, and the commit.
    expect(roundTrips).toHaveBeenCalledTimes(2)
  })

  test('of a violated constraint are what it means to a client, also where a check came before it, or the commit is already under way', async () => {
    await data().write(insertNote(note('taken')))
    const taken = { status: 422, code: 'TEXT_TAKEN' }
    const afterCheck = data().write(async (ctx) => {
      await allNotes.map(({ text }) => text)(ctx)
      insertNote(ctx, note('taken'))
      ctx.tx.askLast(insertNote(note('with the commit')))
    })
    await expect(afterCheck).rejects.toMatchObject(taken)
    const underWay = data().write(async (ctx) => {
      insertNote(ctx, note('taken')).then(
        () => {},
        () => {},
      )
      await null
      ctx.tx.askLast(insertNote(note('with the commit')))
    })
    await expect(underWay).rejects.toMatchObject(taken)
    expect(await texts()).toEqual(['taken'])
  })

  test('of a transaction that has failed never come', async () => {
    let failed: Context | undefined
    const failing = data().write(async (ctx) => {
      failed = ctx
      await asNumber(ctx, { text: 'no number' })
    })
    await expect(failing).rejects.toThrow()
    await expect(allNotes(failed as Context)).rejects.toThrow('has ended')
  })
})

describe('a connection', () => {
  test('is sound after an error, with every statement that it had prepared', async () => {
    const single = env.openPool(1)
    const pids = new Set<number>()
    await data(single).write(insertNote(note('taken')))
    for (let i = 0; i < 20; i++) {
      // A new statement is parsed in the same breath as one that fails, before or behind it.
      const unseen = defineQuery('unseen', () => sql`select pg_sleep(0) -- ${sql.raw(`${i}`)}`)
      const failing = defineQuery(
        'failing',
        (v: { text: string }) => sql`select ${v.text}::text::int as n -- ${sql.raw(`${i}`)}`,
      )
      const failure = data(single).write((ctx) => {
        if (i % 2) unseen(ctx)
        failing(ctx, { text: 'none' })
        insertNote(ctx, note('never'))
        if (i % 2 === 0) unseen(ctx)
      })
      await expect(failure).rejects.toMatchObject({ status: 422, code: 'VALIDATION_ERROR' })
      expect((await data(single).read({ rows: unseen() })).rows).toHaveLength(1)
      expect((await data(single).read({ rows: failing({ text: '7' }) })).rows).toEqual([{ n: 7 }])
      expect(await texts(single)).toHaveLength(1)
      pids.add((await single.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid ?? 0)
    }
    expect(pids.size).toBe(1)
    await single.end()
  })

  test('that nobody gets within five seconds is answered with 503, and those that wait less are served', async () => {
    const single = env.openPool(1)
    const busy = data(single).read({ it: pause({ seconds: 9 }) })
    let isBusy = true
    busy.then(
      () => (isBusy = false),
      () => undefined,
    )
    await expect(texts(single)).rejects.toMatchObject({ status: 503, code: 'UNAVAILABLE' })
    expect(isBusy).toBe(true)
    await busy
    expect(await texts(single)).toEqual([])
    await single.end()
  })
})

test('two that lock each other out are run again, and both succeed', async () => {
  const [x, y] = [note('x'), note('y')]
  for (const each of [x, y]) await data().write(insertNote(each))
  const both = Promise.withResolvers<void>()
  let holding = 0
  let runs = 0
  const change = (first: string, second: string, text: string) =>
    data().write(async (ctx) => {
      runs++
      await changeNote(ctx, { id: first, text: `${text} 1` })
      // The first time, both hold a row by then.
      if (++holding === 2) both.resolve()
      await both.promise
      await changeNote(ctx, { id: second, text: `${text} 2` })
    })
  await Promise.all([change(x.id, y.id, 'one'), change(y.id, x.id, 'other')])
  // The one that is run again can take its first row before the other has noticed that it is free: they lock each other out again.
  expect(runs).toBeGreaterThan(2)
  const [p, q] = await texts()
  expect([`${p}, ${q}`]).toContainEqual(expect.stringMatching(/^(one 1, one 2|other 1, other 2)$/))
})
