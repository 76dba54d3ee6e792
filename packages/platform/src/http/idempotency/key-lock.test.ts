import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type pg from 'pg'
import { expect, test } from 'vitest'
import type { Actor } from '#platform/actor.ts'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { type Context, dataOf } from '#platform/db/tenant.ts'
import { newUuid } from '#platform/ids.ts'
import { withNotes } from '#testkit/areas/notes.ts'
import { answerTakenKey, type ClaimedKey, findKey, KeyTaken, takeKey } from './queries.ts'

// What the lock of an Idempotency-Key keeps apart, and what the stored row keeps apart without it.

const SYSTEM: Actor = { kind: 'system', reason: 'test' }
const ANSWER = { status: 201, content_type: null, body: Buffer.from('answer') }
/** As if it had been stored the day before yesterday. */
const age = defineQuery('age_key_in_test', (v: { key: string }) =>
  query.updateTable('idempotency_keys').set({ created_at: '2026-01-01' }).where('key', '=', v.key),
)
const insertNote = defineQuery(
  'insert_note',
  (v: { id: string; text: string }) => sql`insert into notes (id, text) values (${v.id}, ${v.text})`,
)
const allNotes = defineQuery('all_notes', () => sql`select id from notes`)

let pool: pg.Pool
const [a, b] = [newUuid(), newUuid()]

withNotes((env) => {
  pool = env.pool
})

const within = <T>(work: (ctx: Context) => PromiseLike<T>, projectId = a) =>
  dataOf(pool, projectId, SYSTEM).write(work)
const keyWith = (lock: string, key = randomUUID()): ClaimedKey => ({
  scope: 'secret_key',
  key,
  token: newUuid(),
  fingerprint: Buffer.from('same'),
  lock,
})
/** A request that takes a key, does something and stores its answer. */
const whole = (key: ClaimedKey, projectId = a) =>
  within(async (ctx) => {
    await takeKey(ctx, key)
    answerTakenKey(ctx, { ...key, ...ANSWER })
  }, projectId)
const find = (key: ClaimedKey, projectId = a) => within((ctx) => findKey(ctx, key), projectId)

test('two keys with one lock: the second is refused while the first is held, and nothing is mixed up', async () => {
  const [one, other] = [keyWith('77'), keyWith('77')]
  await within(async (ctx) => {
    await takeKey(ctx, one)
    await expect(whole(other)).rejects.toBeInstanceOf(KeyTaken)
    await expect(whole(other, b)).rejects.toBeInstanceOf(KeyTaken)
    answerTakenKey(ctx, { ...one, ...ANSWER })
  })
  await whole(other, b)
  expect(await find(one)).toMatchObject({ token: one.token, status: 201 })
  expect([await find(other), await find(one, b)]).toEqual([undefined, undefined])
})

test('one key with two locks: of two requests that took it, the second is undone with all its work', async () => {
  const name = randomUUID()
  const [one, other] = [keyWith('1', name), keyWith('2', name)]
  const second = within(async (ctx) => {
    await takeKey(ctx, other)
    await insertNote(ctx, { id: newUuid(), text: 'second' })
    await whole(one)
    answerTakenKey(ctx, { ...other, ...ANSWER })
  })
  await expect(second).rejects.toBeInstanceOf(KeyTaken)
  expect(await within((ctx) => allNotes(ctx))).toEqual([])
  expect(await find(one)).toMatchObject({ token: one.token })
})

test('a statement that is sent behind a key that cannot be had is not done, and waits for nothing', async () => {
  const [key, text] = [keyWith('4'), 'wanted by both']
  await within(async (ctx) => {
    await takeKey(ctx, key)
    await insertNote(ctx, { id: newUuid(), text })
    const second = within((theirs) => {
      takeKey(theirs, { ...key, token: newUuid() })
      return insertNote(theirs, { id: newUuid(), text })
    })
    // It would wait for the first one's text, and then be refused for it.
    await expect(second).rejects.toBeInstanceOf(KeyTaken)
  })
})

test('a free lock does not help where the key is stored, until its 24 hours are over', async () => {
  const key = keyWith('3')
  const again = { ...key, token: newUuid() }
  await whole(key)
  await expect(whole(again)).rejects.toBeInstanceOf(KeyTaken)
  await within((ctx) => age(ctx, { key: key.key }))
  await whole(again)
  expect(await find(key)).toMatchObject({ token: again.token })
})
