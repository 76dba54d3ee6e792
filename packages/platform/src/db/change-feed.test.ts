import { afterAll, beforeAll, expect, test } from 'vitest'
import { ChangeFeed } from '#platform/db/change-feed.ts'
import { urlOf } from '#platform/db/pool.ts'
import { startApi, type TestApi } from '#testkit/api.ts'
import { cloneDatabase, type TestDatabase } from '#testkit/database.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { startTransactionPooler, type TransactionPooler } from '#testkit/servers/transaction-pooler.ts'

// Behind a pooler in transaction mode LISTEN is accepted, and nothing that others announce is heard.

let database: TestDatabase
let pooler: TransactionPooler
let api: TestApi
let side: Side

beforeAll(async () => {
  database = await cloneDatabase()
  pooler = await startTransactionPooler(database.url)
  api = await startApi({ database: { ...database, url: pooler.url } })
  side = (await makeProjects(api))[0].live
})
afterAll(async () => {
  await api.close()
  await pooler.close()
  await database.drop()
})

const feedAt = (url: string) => {
  const errors: string[] = []
  const connectionString = urlOf(url, 'keys', database.secretKey)
  return {
    errors,
    feed: new ChangeFeed({ connectionString, onError: ({ message }) => errors.push(message) }),
  }
}

test('a feed is believed once it has heard another connection, and says why it is not', async () => {
  const direct = feedAt(database.url)
  const pooled = feedAt(pooler.url)
  await direct.feed.start()
  await pooled.feed.start()
  expect([direct.feed.isLive(), direct.errors]).toEqual([true, []])
  expect(pooled.feed.isLive()).toBe(false)
  expect(pooled.errors[0]).toContain('pooler in transaction mode')
  await direct.feed.close()
  await pooled.feed.close()
})

test('a revoked key is refused at once where no change is heard', async () => {
  const { key, id } = await side.makeKey({ permissions: ['read:members'] })
  const read = () => side.as(key).get('/members')
  for (let i = 0; i < 3; i++) expect((await read()).status).toBe(200)
  expect((await side.admin.delete(`/api-keys/${id}`)).status).toBe(200)
  expect((await read()).status).toBe(401)
})

test('a session that ended, and a signing key that was revoked, are refused at once where no change is heard', async () => {
  const one = await side.signIn()
  const other = await side.signIn()
  const profile = (token: string) => side.as(token).get('/user/profile')
  for (const { token } of [one, other]) expect((await profile(token)).status).toBe(200)
  expect((await side.as(one.token).post('/auth/logout', {})).status).toBe(200)
  expect((await profile(one.token)).status).toBe(401)
  await api.owner.query('update signing_keys set published_until = now()')
  expect((await profile(other.token)).status).toBe(401)
  // And none is used for new ones.
  expect((await profile((await side.signIn()).token)).status).toBe(200)
})

test('/readyz says so, and the API goes on', async () => {
  const { status, body } = await api.send('GET', '/readyz')
  expect(status).toBe(200)
  expect(body).toMatchObject({ status: 'ready', dependencies: { change_feed: { ok: false } } })
})
