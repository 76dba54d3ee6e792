import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Actor } from '#platform/actor.ts'
import { newUuid } from '#platform/ids.ts'
import { allNotes, asNumber, changeNote, insertNote, openNotes, pause, raw } from '#testkit/areas/notes.ts'
import { type Context, inProject } from './tenant.ts'

const SYSTEM: Actor = { kind: 'system', reason: 'test' }

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

const within = <T>(projectId: string, work: (ctx: Context) => PromiseLike<T>) =>
  inProject(pool, projectId, SYSTEM, work)
const note = (text: string) => ({ id: newUuid(), text })
const texts = (projectId: string) =>
  within(projectId, (ctx) => ctx.tx.all(allNotes, {}).map((notes) => notes.map(({ text }) => text)))

describe('answers', () => {
  test('can be awaited, mapped and joined, and each statement is run once', async () => {
    const [first, [second, count]] = await within(a, async (ctx) => {
      const one = ctx.tx.single(insertNote, note('1')).map(({ text }) => `mapped ${text}`)
      const two = ctx.tx
        .single(insertNote, note('2'))
        .and(ctx.tx.all(allNotes, {}).map((rows) => rows.length))
      expect(await one).toBe(await one)
      return [await one, await two] as const
    })
    expect([first, second.text, count]).toEqual(['mapped 1', '2', 2])
    expect(await texts(a)).toEqual(['1', '2'])
  })

  test('that are waited for together come together', async () => {
    const rows = await within(a, async (ctx) => {
      const inserted = ['x', 'y', 'z'].map((text) => ctx.tx.single(insertNote, note(text)))
      return (await Promise.all(inserted)).map(({ text }) => text)
    })
    expect(rows).toEqual(['x', 'y', 'z'])
  })

  test('of several statements that read come in one transaction that cannot write, and a check refuses them', async () => {
    const reads = raw(
      'reads',
      (v: { some: boolean }) =>
        sql<{
          only: string
        }>`select current_setting('transaction_read_only') as only where ${v.some}::boolean`,
      {},
      'lookup',
    )
    const slow = { ...reads, group: 'read' as const }
    const both = (some: boolean) =>
      within(a, (ctx) => ctx.tx.one(reads, { some }, 'Row').and(ctx.tx.all(slow, { some: true })))
    expect(await both(true)).toEqual([{ only: 'on' }, [{ only: 'on' }]])
    await expect(both(false)).rejects.toMatchObject({ status: 404 })
    const writes = { ...insertNote, group: 'lookup' as const }
    await expect(
      within(a, (ctx) => ctx.tx.all(writes, note('never')).and(ctx.tx.all(reads, { some: true }))),
    ).rejects.toThrow()
    expect(await texts(a)).toEqual([])
  })

  test('of a violated constraint are what it means to a client, whichever statement it was', async () => {
    await within(a, (ctx) => ctx.tx.single(insertNote, note('taken')))
    const taken = { status: 422, code: 'TEXT_TAKEN' }
    await expect(within(a, (ctx) => ctx.tx.single(insertNote, note('taken')))).rejects.toMatchObject(taken)
    await expect(
      within(a, async (ctx) => {
        await ctx.tx.all(allNotes, {})
        return ctx.tx.single(insertNote, note('taken'))
      }),
    ).rejects.toMatchObject(taken)
    expect(await texts(b)).toEqual([])
  })

  test('of a violated constraint are that also where a check came before it, or the commit is already under way', async () => {
    await within(a, (ctx) => ctx.tx.single(insertNote, note('taken')))
    const taken = { status: 422, code: 'TEXT_TAKEN' }
    const afterCheck = within(a, async (ctx) => {
      await ctx.tx.all(allNotes, {}).and(ctx.tx.check(allNotes, {}, () => 'passed'))
      ctx.tx.run(insertNote, note('taken'))
      ctx.tx.defer(insertNote, note('with the commit'))
    })
    await expect(afterCheck).rejects.toMatchObject(taken)
    const underWay = within(a, async (ctx) => {
      ctx.tx.single(insertNote, note('taken')).then(
        () => {},
        () => {},
      )
      await null
      ctx.tx.defer(insertNote, note('with the commit'))
    })
    await expect(underWay).rejects.toMatchObject(taken)
    expect(await texts(a)).toEqual(['taken'])
  })

  test('of a transaction that has ended never come', async () => {
    const escaped = await within(a, async (ctx) => {
      await ctx.tx.all(allNotes, {})
      return { ctx }
    })
    await expect(escaped.ctx.tx.single(insertNote, note('late'))).rejects.toThrow('has ended')
    expect(await texts(a)).toEqual([])
    let failed: Context | undefined
    await expect(
      within(a, async (ctx) => {
        failed = ctx
        await ctx.tx.all(asNumber, { text: 'no number' })
      }),
    ).rejects.toThrow()
    await expect(failed?.tx.all(allNotes, {})).rejects.toThrow('has ended')
  })
})

describe('a connection', () => {
  test('is sound after an error, with every statement that it had prepared', async () => {
    const single = env.openPool(1)
    const at = <T>(work: (ctx: Context) => PromiseLike<T>) => inProject(single, a, SYSTEM, work)
    const pids = new Set<number>()
    await at((ctx) => ctx.tx.single(insertNote, note('taken')))
    for (let i = 0; i < 20; i++) {
      // A new statement is parsed in the same breath as one that fails, before or behind it.
      const unseen = { ...pause, name: `unseen_${i}`, sql: `select pg_sleep($1) -- ${i}` }
      const failing = { ...asNumber, name: `failing_${i}`, sql: `select $1::text::int as n -- ${i}` }
      const failure = at((ctx) => {
        if (i % 2) ctx.tx.all(unseen, { seconds: 0 })
        const number = ctx.tx.all(failing, { text: 'none' })
        ctx.tx.all(insertNote, note('never'))
        return i % 2
          ? number.map(() => undefined)
          : number.and(ctx.tx.all(unseen, { seconds: 0 })).map(() => undefined)
      })
      await expect(failure).rejects.toMatchObject({ status: 422 })
      expect(await at((ctx) => ctx.tx.all(unseen, { seconds: 0 }))).toHaveLength(1)
      expect(await at((ctx) => ctx.tx.all(failing, { text: '7' }))).toEqual([{ n: 7 }])
      expect(await at((ctx) => ctx.tx.all(allNotes, {}))).toHaveLength(1)
      pids.add((await single.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid ?? 0)
    }
    expect(pids.size).toBe(1)
    await single.end()
  })

  test('that nobody gets within five seconds is answered with 503, and those that wait less are served', async () => {
    const single = env.openPool(1)
    const busy = inProject(single, a, SYSTEM, (ctx) => ctx.tx.all(pause, { seconds: 9 }))
    let isBusy = true
    busy.then(
      () => (isBusy = false),
      () => undefined,
    )
    await expect(inProject(single, a, SYSTEM, (ctx) => ctx.tx.all(allNotes, {}))).rejects.toMatchObject({
      status: 503,
      code: 'UNAVAILABLE',
    })
    expect(isBusy).toBe(true)
    await busy
    expect(await inProject(single, a, SYSTEM, (ctx) => ctx.tx.all(allNotes, {}))).toEqual([])
    await single.end()
  })
})

test('two that lock each other out are run again, and both succeed', async () => {
  const [x, y] = [note('x'), note('y')]
  await within(a, (ctx) => ctx.tx.all(insertNote, x).and(ctx.tx.all(insertNote, y)))
  const both = Promise.withResolvers<void>()
  let holding = 0
  let runs = 0
  const change = (first: string, second: string, text: string) =>
    within(a, async (ctx) => {
      runs++
      await ctx.tx.one(changeNote, { id: first, text: `${text} 1` }, 'Note')
      // The first time, both hold a row by then.
      if (++holding === 2) both.resolve()
      await both.promise
      await ctx.tx.one(changeNote, { id: second, text: `${text} 2` }, 'Note')
    })
  await Promise.all([change(x.id, y.id, 'one'), change(y.id, x.id, 'other')])
  // The one that is run again can take its first row before the other has noticed that it is free: they lock each other out again.
  expect(runs).toBeGreaterThan(2)
  const [p, q] = await texts(a)
  expect([`${p}, ${q}`]).toContainEqual(expect.stringMatching(/^(one 1, one 2|other 1, other 2)$/))
})
