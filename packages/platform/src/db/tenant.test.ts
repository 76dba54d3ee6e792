import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Actor } from '#platform/actor.ts'
import { newUuid } from '#platform/ids.ts'
import {
  allNotes,
  asNumber,
  changeNote,
  currentProject,
  insertNote,
  openNotes,
} from '#testkit/areas/notes.ts'
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
const missing = () => ({ id: newUuid(), text: 'never' })

describe('a project', () => {
  test('sees its own rows only, in one round trip and in a transaction of several', async () => {
    await within(a, (ctx) => ctx.tx.single(insertNote, note('of a')))
    await within(b, async (ctx) => {
      await ctx.tx.single(insertNote, note('of b'))
      expect(await ctx.tx.all(allNotes, {})).toHaveLength(1)
    })
    expect([await texts(a), await texts(b)]).toEqual([['of a'], ['of b']])
  })

  test('is never that of a transaction interleaved with it on the same pool', async () => {
    const projects = Array.from({ length: 40 }, () => newUuid())
    await Promise.all(
      projects.map(async (id, i) => {
        const seen = await within(id, async (ctx) => {
          const found = []
          for (let step = 0; step < 3; step++) {
            await ctx.tx.single(insertNote, note(`${i} ${step}`))
            found.push((await ctx.tx.first(currentProject, {}))?.id)
          }
          return found
        })
        expect(seen).toEqual([id, id, id])
        const [now, rows] = await within(id, (ctx) =>
          ctx.tx.first(currentProject, {}).and(ctx.tx.all(allNotes, {})),
        )
        expect([now?.id, rows.map(({ text }) => text)]).toEqual([id, [`${i} 0`, `${i} 1`, `${i} 2`]])
      }),
    )
  })

  test('is forgotten by the connection at the end, also after an error', async () => {
    const single = env.openPool(1)
    const fail = async (work: (ctx: Context) => PromiseLike<unknown>) =>
      expect(inProject(single, a, SYSTEM, work)).rejects.toThrow()
    const forgotten = async () =>
      expect((await single.query('select app.current_project() as id')).rows).toEqual([{ id: null }])
    await inProject(single, a, SYSTEM, (ctx) => ctx.tx.all(allNotes, {}))
    await forgotten()
    await fail((ctx) => ctx.tx.all(asNumber, { text: 'no number' }))
    await forgotten()
    await fail(async (ctx) => {
      await ctx.tx.all(allNotes, {})
      await ctx.tx.all(asNumber, { text: 'no number' })
    })
    await forgotten()
    await fail(async (ctx) => {
      await ctx.tx.all(allNotes, {})
      throw new Error('of the work itself')
    })
    await forgotten()
    await single.end()
  })
})

describe('everything or nothing', () => {
  test('of what is sent at once: a statement that fails takes the earlier ones back', async () => {
    const failing = within(a, (ctx) => {
      ctx.tx.all(insertNote, note('first'))
      ctx.tx.defer(insertNote, note('effect'))
      return ctx.tx.all(asNumber, { text: 'no number' })
    })
    await expect(failing).rejects.toMatchObject({ status: 422 })
    expect(await texts(a)).toEqual([])
  })

  test('of what is sent step by step: an error takes the earlier steps back', async () => {
    const failing = within(a, async (ctx) => {
      await ctx.tx.single(insertNote, note('first'))
      ctx.tx.defer(insertNote, note('effect'))
      throw new Error('thought better of it')
    })
    await expect(failing).rejects.toThrow('thought better of it')
    expect(await texts(a)).toEqual([])
  })

  test('of what is sent at once: an answer that is refused in code takes everything back', async () => {
    const failing = within(a, (ctx) => {
      ctx.tx.defer(insertNote, note('effect'))
      return ctx.tx.one(changeNote, missing(), 'Note')
    })
    await expect(failing).rejects.toMatchObject({ status: 404, message: 'Note not found' })
    expect(await texts(a)).toEqual([])
  })

  test('of an error that the work swallowed: nothing is committed, and the error comes out', async () => {
    const failing = within(a, async (ctx) => {
      await ctx.tx.single(insertNote, note('first'))
      await ctx.tx.all(asNumber, { text: 'no number' }).then(undefined, () => undefined)
      ctx.tx.defer(insertNote, note('effect'))
      return 'as if nothing had happened'
    })
    await expect(failing).rejects.toMatchObject({ status: 422 })
    expect(await texts(a)).toEqual([])
  })

  test('of effects: they are written with the commit, after what the work asked for', async () => {
    await within(a, async (ctx) => {
      ctx.tx.defer(insertNote, note('effect'))
      expect(await ctx.tx.all(allNotes, {})).toEqual([])
      await ctx.tx.single(insertNote, note('asked for'))
    })
    expect(await texts(a)).toEqual(['asked for', 'effect'])
  })

  test('of an effect that fails: the work is taken back', async () => {
    const id = newUuid()
    const failing = within(a, async (ctx) => {
      await ctx.tx.single(insertNote, { id, text: 'once' })
      ctx.tx.defer(insertNote, { id: newUuid(), text: 'once' })
      return 'done'
    })
    await expect(failing).rejects.toMatchObject({ code: 'TEXT_TAKEN' })
    expect(await texts(a)).toEqual([])
  })
})
