import type pg from 'pg'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Actor } from '#platform/actor.ts'
import { newUuid } from '#platform/ids.ts'
import {
  allNotes,
  asNumber,
  changeNote,
  currentProject,
  insertNote,
  type NotesEnvironment,
  withNotes,
} from '#testkit/areas/notes.ts'
import { type Context, dataOf } from './tenant.ts'

const SYSTEM: Actor = { kind: 'system', reason: 'test' }

let env: NotesEnvironment
let pool: pg.Pool
let a: string
let b: string

withNotes((opened) => {
  env = opened
  pool = env.pool
})
beforeEach(() => {
  a = newUuid()
  b = newUuid()
})

const data = (projectId: string, at = pool) => dataOf(at, projectId, SYSTEM)
const note = (text: string) => ({ id: newUuid(), text })
const texts = async (projectId: string) =>
  (await data(projectId).read({ notes: allNotes() })).notes.map(({ text }) => text)

describe('a project', () => {
  test('sees its own rows only, in a read and in a transaction of several round trips', async () => {
    await data(a).write(insertNote(note('of a')))
    await data(b).write(async (ctx) => {
      await insertNote(ctx, note('of b'))
      expect(await allNotes(ctx)).toHaveLength(1)
    })
    expect([await texts(a), await texts(b)]).toEqual([['of a'], ['of b']])
  })

  test('is never that of a transaction interleaved with it on the same pool', async () => {
    const projects = Array.from({ length: 40 }, () => newUuid())
    const getProject = currentProject.single()
    await Promise.all(
      projects.map(async (id, i) => {
        const seen = await data(id).write(async (ctx) => {
          const found = []
          for (let step = 0; step < 3; step++) {
            await insertNote(ctx, note(`${i} ${step}`))
            found.push((await getProject(ctx)).id)
          }
          return found
        })
        expect(seen).toEqual([id, id, id])
        const { now, rows } = await data(id).read({ now: getProject(), rows: allNotes() })
        expect([now.id, rows.map(({ text }) => text)]).toEqual([id, [`${i} 0`, `${i} 1`, `${i} 2`]])
      }),
    )
  })

  test('is forgotten by the connection at the end, also after an error', async () => {
    const single = env.openPool(1)
    const own = data(a, single)
    const forgotten = async () =>
      expect((await single.query('select app.current_project() as id')).rows).toEqual([{ id: null }])
    await own.read({ notes: allNotes() })
    await forgotten()
    await expect(own.read({ number: asNumber({ text: 'no number' }) })).rejects.toThrow()
    await forgotten()
    const failing = own.write(async (ctx) => {
      await allNotes(ctx)
      await asNumber(ctx, { text: 'no number' })
    })
    await expect(failing).rejects.toThrow()
    await forgotten()
    const throwing = own.write(async (ctx) => {
      await allNotes(ctx)
      throw new Error('of the work itself')
    })
    await expect(throwing).rejects.toThrow()
    await forgotten()
    await single.end()
  })
})

describe('effects', () => {
  test('are written with the commit, after what the work asked for', async () => {
    await data(a).write(async (ctx) => {
      ctx.tx.askLast(insertNote(note('effect')))
      expect(await allNotes(ctx)).toEqual([])
      await insertNote(ctx, note('asked for'))
    })
    expect(await texts(a)).toEqual(['asked for', 'effect'])
  })

  test('that fail take the work back', async () => {
    const failing = data(a).write(async (ctx) => {
      await insertNote(ctx, note('once'))
      ctx.tx.askLast(insertNote(note('once')))
      return 'done'
    })
    await expect(failing).rejects.toMatchObject({ code: 'TEXT_TAKEN' })
    expect(await texts(a)).toEqual([])
  })

  test.each<[string, (ctx: Context) => unknown, object]>([
    ['throws', () => Promise.reject(new Error('thrown')), { message: 'thrown' }],
    ['has a statement that fails', (ctx) => asNumber(ctx, { text: 'none' }), { code: 'VALIDATION_ERROR' }],
    ['misses a row', (ctx) => changeNote(ctx, note('never')), { status: 404, message: 'Note not found' }],
  ])('are taken back where the work %s', async (_, fail, expected) => {
    const failing = data(a).write((ctx) => {
      insertNote(ctx, note('first'))
      ctx.tx.askLast(insertNote(note('effect')))
      return fail(ctx)
    })
    await expect(failing).rejects.toMatchObject(expected)
    expect(await texts(a)).toEqual([])
  })
})
