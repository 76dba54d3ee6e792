import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ChangeFeed } from '#platform/change-feed.ts'
import { urlOf } from '#platform/db/logins.ts'
import { openPool } from '#platform/db/pool.ts'
import { parseId } from '#platform/ids.ts'
import { KeyStore } from '#platform/keys/key-store.ts'
import { startApi, type TestApi } from '#testkit/api.ts'
import { cloneDatabase, type TestDatabase } from '#testkit/database.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { startTransactionPooler, type TransactionPooler } from '#testkit/servers/transaction-pooler.ts'
import { SOON } from '#testkit/soon.ts'

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

const feedAt = (url: string, options: { restMs?: number; now?: () => number } = {}) => {
  const errors: string[] = []
  const connectionString = urlOf(url, 'keys', database.secretKey)
  return {
    errors,
    feed: new ChangeFeed({
      open: (options) => new pg.Client({ ...options, connectionString }),
      onError: ({ message }) => errors.push(message),
      ...options,
    }),
  }
}

const HOUR_MS = 3_600_000
/** A feed that rests as soon as nobody asks, and a clock that can be moved. */
async function restingFeed() {
  let ahead = 0
  const { feed } = feedAt(database.url, { restMs: 0, now: () => performance.now() + ahead })
  const rests = () => vi.waitFor(() => expect(feed.isResting).toBe(true), SOON)
  const wait = (milliseconds: number) => {
    ahead += milliseconds
  }
  return { feed, rests, wait }
}

test('a feed is believed once it has heard another connection, and says why it is not', async () => {
  const direct = feedAt(database.url)
  const pooled = feedAt(pooler.url)
  await direct.feed.start()
  await pooled.feed.start()
  // A feed that stood still is not believed for a moment.
  await vi.waitFor(() => expect([direct.feed.isLive(), direct.errors]).toEqual([true, []]), SOON)
  expect(pooled.feed.isLive()).toBe(false)
  expect(pooled.errors[0]).toContain('pooler in transaction mode')
  await direct.feed.close()
  await pooled.feed.close()
})

test('a feed rests while nobody asks: it hears changes, is not believed, and works again when it is asked', async () => {
  const { feed, rests, wait } = await restingFeed()
  const heard: string[] = []
  feed.listen('guildhall_changes', { onChange: (id) => heard.push(id), onGap: () => heard.push('gap') })
  await feed.start()
  await rests()
  await api.owner.query("select pg_notify('guildhall_changes', 'changed')")
  await vi.waitFor(() => expect(heard).toEqual(['gap', 'changed']), SOON)
  wait(HOUR_MS)
  expect(feed.isLive()).toBe(false)
  await vi.waitFor(() => expect(feed.isLive()).toBe(true), SOON)
  // Nothing was missed: what is kept stays.
  expect(heard).toEqual(['gap', 'changed'])
  await rests()
  wait(HOUR_MS)
  expect(await feed.check()).toBe(true)
  expect(feed.isResting).toBe(true)
  await feed.close()
})

test('a feed whose connection broke while it rested has what is kept forgotten before it is believed', async () => {
  const { feed, rests, wait } = await restingFeed()
  const heard: string[] = []
  feed.listen('guildhall_changes', { onChange: (id) => heard.push(id), onGap: () => heard.push('gap') })
  await feed.start()
  await rests()
  const cut = await api.owner.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
     and application_name in ('guildhall changes', 'guildhall heartbeats')`,
  )
  expect(cut.rowCount).toBeGreaterThan(0)
  wait(HOUR_MS)
  await vi.waitFor(() => expect(feed.isLive()).toBe(true), SOON)
  expect(heard).toEqual(['gap', 'gap'])
  await feed.close()
})

test('a key that was revoked while the feed rested is refused, also if its notification was lost', async () => {
  const { feed, rests, wait } = await restingFeed()
  const pool = openPool(api.config, { role: 'keys', size: 2, onError: () => undefined })
  const keys = new KeyStore(pool, feed)
  await feed.start()
  const { key, id } = await side.makeKey({ permissions: ['read:members'] })
  await rests()
  const first = keys.find(key)
  expect(feed.isResting).toBe(false)
  expect((await first).publicId).toBe(id)
  await rests()
  await api.owner.query('alter table api_keys disable trigger user')
  await api.owner.query("update api_keys set revoked_at = now() - interval '1 second' where id = $1", [
    parseId('API key', id),
  ])
  await api.owner.query('alter table api_keys enable trigger user')
  wait(HOUR_MS)
  await expect(keys.find(key)).rejects.toMatchObject({ status: 401, reason: 'revoked' })
  await feed.close()
  await pool.end()
})

test('a revoked key is refused at once where no change is heard', async () => {
  const { key, id } = await side.makeKey({ permissions: ['read:members'] })
  const read = () => side.as(key).get('/members')
  for (let i = 0; i < 3; i++) expect((await read()).status).toBe(200)
  expect((await side.admin.delete(`/api-keys/${id}`)).status).toBe(200)
  expect(refusalOf(await read())).toBe('401 INVALID_TOKEN')
})

test('a session that ended, and a signing key that was revoked, are refused at once where no change is heard', async () => {
  const one = await side.signIn()
  const other = await side.signIn()
  const profile = (token: string) => side.as(token).get('/user/profile')
  for (const { token } of [one, other]) expect((await profile(token)).status).toBe(200)
  expect((await side.as(one.token).post('/auth/logout', {})).status).toBe(200)
  expect(refusalOf(await profile(one.token))).toBe('401 INVALID_TOKEN')
  await api.owner.query('update signing_keys set published_until = now()')
  expect(refusalOf(await profile(other.token))).toBe('401 INVALID_TOKEN')
  // And none is used for new ones.
  expect((await profile((await side.signIn()).token)).status).toBe(200)
})

test('/readyz says so, and the API goes on', async () => {
  const { status, body } = await api.send('GET', '/readyz')
  expect(status).toBe(200)
  expect(body).toMatchObject({ status: 'ready', dependencies: { change_feed: { ok: false } } })
})
