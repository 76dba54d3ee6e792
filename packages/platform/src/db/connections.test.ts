import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import type { Actor } from '#platform/actor.ts'
import { queryOnce } from '#platform/db/query.ts'
import { newUuid } from '#platform/ids.ts'
import { asNumber, currentProject, type NotesEnvironment, pause, withNotes } from '#testkit/areas/notes.ts'
import { connectionsOf } from './connections.ts'
import { dataOf } from './tenant.ts'

const SYSTEM: Actor = { kind: 'system', reason: 'test' }
const [flooding, calm, other] = [newUuid(), newUuid(), newUuid()]

let env: NotesEnvironment
let pool: pg.Pool

withNotes((opened) => {
  env = opened
  pool = env.openPool(2)
})
afterAll(() => pool.end())

test('a project that asks for much waits for its own statements, and others for one turn', async () => {
  const answered: string[] = []
  const ask = async (name: string, projectId: string, seconds: number) => {
    await dataOf(pool, projectId, SYSTEM).read({ it: pause({ seconds }) })
    answered.push(name)
  }
  const flood = Array.from({ length: 40 }, () => ask('flood', flooding, 0.02))
  await Promise.all([...flood, ask('calm', calm, 0), ask('other', other, 0)])
  expect(answered).toHaveLength(42)
  // Two were running when they asked, and two of the flood can have had a turn since.
  expect(answered.indexOf('calm')).toBeLessThan(6)
  expect(answered.indexOf('other')).toBeLessThan(6)
})

test('a project whose statements all take long leaves a quarter of the connections to others, who share none of its waits', async () => {
  const four = env.openPool(4)
  const projectOf = currentProject.single()
  const waitsForLock = queryOnce('waits', sql`select pg_advisory_xact_lock_shared(77)::text`)
  await env.owner.query('select pg_advisory_lock(77)')
  const flood = Array.from({ length: 6 }, () => dataOf(four, flooding, SYSTEM).read({ it: waitsForLock() }))
  const ends = Promise.allSettled(flood)
  // Each of the flood's look-ups is asked in the same turn as those of others, with which it would share a round trip.
  const lookedUp = [flooding, calm, other].map((id) => dataOf(four, id, SYSTEM).read({ it: projectOf() }))
  const [, ofCalm, ofOther] = await Promise.all(lookedUp)
  expect([ofCalm?.it.id, ofOther?.it.id]).toEqual([calm, other])
  expect(await dataOf(four, calm, SYSTEM).read({ it: asNumber({ text: '1' }) })).toEqual({ it: [{ n: 1 }] })
  await env.owner.query('select pg_advisory_unlock(77)')
  await ends
  await four.end()
})

test('while others ask too, a project has half of the connections; those that it gives back go to its next statements', async () => {
  const eight = env.openPool(8)
  const connections = connectionsOf(eight)
  const taken = [calm, ...Array<string>(7).fill(flooding)].map((id) => connections.take(id))
  expect(connections.waitingCount).toBe(3)
  for (const each of taken) (await each).release()
  expect(connections.waitingCount).toBe(0)
  await eight.end()
})

test('the error of a project that waits for its own statements is not that of a database that does not answer', async () => {
  const four = connectionsOf(env.openPool(4, 200))
  const own = await Promise.all([1, 2, 3].map(() => four.take(flooding)))
  await expect(four.take(flooding)).rejects.toMatchObject({
    ...{ status: 503, code: 'UNAVAILABLE', headers: { 'retry-after': '1' } },
    message: expect.stringContaining('This project has too many requests'),
  })
  const others = await four.take(calm)
  await expect(four.take(other)).rejects.toMatchObject({
    ...{ status: 503, code: 'UNAVAILABLE' },
    message: expect.stringContaining('database cannot be reached'),
  })
  for (const connection of [...own, others]) connection.release()
})

test('while others ask too, a project that is busy with long statements has a fifth of the connections', async () => {
  const ten = env.openPool(10)
  const connections = connectionsOf(ten)
  const long = await Promise.all(Array.from({ length: 7 }, () => connections.take(flooding)))
  await new Promise((resolve) => setTimeout(resolve, 400))
  for (const connection of long) connection.release()
  const short = await connections.take(calm)
  const wanted = Array.from({ length: 4 }, () => connections.take(flooding))
  expect(connections.waitingCount).toBe(2)
  // Whoever has many short ones keeps half.
  const many = Array.from({ length: 5 }, () => connections.take(calm))
  expect(connections.waitingCount).toBe(2 + 1)
  short.release()
  for (const each of [...wanted, ...many]) (await each).release()
  await ten.end()
})

test('places are handed on after failures and lost connections', async () => {
  const connections = connectionsOf(pool)
  const ask = (text: string) =>
    dataOf(pool, calm, SYSTEM)
      .read({ it: asNumber({ text }) })
      .then(
        () => 'answered',
        () => 'refused',
      )
  const taken = await Promise.all([connections.take(calm), connections.take(other)])
  const waiting = ['1', 'none', '2'].map(ask)
  expect(connections.waitingCount).toBe(3)
  for (const connection of taken) {
    connection.break()
    connection.release()
  }
  expect(await Promise.all(waiting)).toEqual(['answered', 'refused', 'answered'])
  expect(connections.waitingCount).toBe(0)
  // Both places are free: none was lost, and none was handed out twice.
  const both = await Promise.all([connections.take(calm), connections.take(other)])
  const third = ask('3')
  expect(connections.waitingCount).toBe(1)
  for (const connection of both) connection.release()
  expect(await third).toBe('answered')
})
