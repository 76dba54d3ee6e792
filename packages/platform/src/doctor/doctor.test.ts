import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { cloneDatabase, type TestDatabase } from '#testkit/database.ts'
import { describeWithRedis, startRedis } from '#testkit/servers/redis.ts'
import { startS3Server } from '#testkit/servers/s3-server.ts'
import { ACCESS_KEY_ID } from '#testkit/servers/s3-signature.ts'
import { loginOf } from '../db/logins.ts'
import { examine } from './doctor.ts'

const UNSAFE = ['fsync is off', 'full_page_writes is off']
let database: TestDatabase
beforeAll(async () => {
  database = await cloneDatabase()
  return () => database.drop()
})

/** What the doctor finds, without what is well. */
async function findings(
  changes: { url?: string; secretKey?: string; environment?: Record<string, string> } = {},
) {
  const url = changes.url ?? database.url
  const found = await examine({
    databaseUrl: url,
    directUrl: url,
    secretKey: changes.secretKey ?? database.secretKey,
    environment: { BASE_URL: 'http://localhost:3000', ...changes.environment },
  })
  for (const { state, cure } of found) expect(cure === undefined).toBe(state === 'ok')
  // The PostgreSQL of the tests does not wait for its disk.
  return found.filter(({ state, found: what }) => state !== 'ok' && !UNSAFE.includes(what))
}

/** Those that keep something from working: what was looked at, and what was found. */
const faults = async (...changes: Parameters<typeof findings>) =>
  (await findings(...changes))
    .filter(({ state }) => state === 'fault')
    .map(({ check, found }) => `${check}: ${found}`)

/** Does something with the login of the owner. */
async function asOwner(sql: string, url = database.url): Promise<void> {
  const owner = new pg.Client({ connectionString: url })
  await owner.connect()
  await owner.query(sql).finally(() => owner.end())
}

/** Undoes what a test did, also where it fails. */
const afterwards = (sql: string) => onTestFinished(() => asOwner(sql))

/** Another database of the same server, empty. */
async function emptyDatabase(): Promise<string> {
  const url = new URL(database.url)
  url.pathname = `/doctor_${Date.now()}`
  await asOwner(`create database ${url.pathname.slice(1)}`)
  onTestFinished(() => asOwner(`drop database ${url.pathname.slice(1)} with (force)`))
  return url.href
}

test('an installation that works has no fault, and says what is not set up', async () => {
  expect((await findings()).map(({ check, state }) => [check, state])).toEqual([
    ['storage', 'warning'],
    ['mail', 'warning'],
  ])
})

test('a PostgreSQL that loses what it has confirmed', async () => {
  const { url: databaseUrl, secretKey } = database
  const found = await examine({ databaseUrl, directUrl: databaseUrl, secretKey, environment: {} })
  expect(
    found.filter(({ check, state }) => check === 'postgresql' && state === 'fault').map((each) => each.found),
  ).toEqual(UNSAFE)
})

test('a variable that processes do not start with', async () => {
  expect(await faults({ environment: { DATABASE_POOL_SIZE: 'many' } })).toEqual([
    'settings: DATABASE_POOL_SIZE is "many": expected a number from 1 to 500',
  ])
})

test('another SECRET_KEY than the one of the database', async () => {
  expect(await faults({ secretKey: 'another-key-of-thirty-two-letters' })).toEqual([
    'secret key: SECRET_KEY is not the one that this database was made with',
  ])
})

test('a database that there is not', async () => {
  const url = new URL(database.url)
  url.pathname = '/nowhere'
  expect(await faults({ url: url.href })).toEqual([
    'postgresql: it cannot be reached with the login of the owner: database "nowhere" does not exist',
  ])
})

test('a server that does not run', async () => {
  const url = new URL(database.url)
  url.port = '1'
  expect(await faults({ url: url.href })).toEqual([expect.stringMatching(/^postgresql: .*ECONNREFUSED/)])
})

test('a database that was never migrated', async () => {
  expect(await faults({ url: await emptyDatabase() })).toEqual([
    expect.stringMatching(/^schema: \d+ migrations are pending, the first is 20261124T0900_foundation/),
  ])
})

test('a login of a process that has another password, or that is missing', async () => {
  const { user, password } = loginOf(database.url, 'relay', database.secretKey)
  await asOwner(`alter role ${user} password 'another'`)
  expect(await faults()).toEqual([
    expect.stringContaining(`logins: 1 of 9 logins of processes are refused, such as ${user}: password auth`),
  ])
  await asOwner(`alter role ${user} rename to ${user}_2`)
  afterwards(`alter role ${user}_2 rename to ${user}; alter role ${user} password '${password}'`)
  expect(await faults()).toEqual([
    `logins: 1 of 9 logins of processes are refused, such as ${user}: there is no such login`,
  ])
})

test('an index whose building did not end', async () => {
  await asOwner('create table doctors (n integer)')
  afterwards('drop table doctors')
  await asOwner('insert into doctors values (1), (1)')
  const build = asOwner('create unique index concurrently doctors_by_n on doctors (n)')
  await expect(build).rejects.toThrow('could not create unique index')
  expect(await faults()).toEqual(['indexes: doctors_by_n: building did not end'])
})

test('events that no worker passes on', async () => {
  afterwards('delete from outbox; alter table outbox force row level security')
  await asOwner(
    `alter table outbox no force row level security;
     insert into outbox (project_id, id, kind, name, created_at)
     values (gen_random_uuid(), gen_random_uuid(), 'event', 'member.created', now() - interval '5 minutes')`,
  )
  expect(await faults()).toEqual([
    expect.stringMatching(/^work: 1 events and jobs have not been passed on, the oldest for 30\d s/),
  ])
})

describeWithRedis('Redis', () => {
  test('that removes signals when it is full, and one that is away', async () => {
    const redis = await startRedis({ settings: ['--maxmemory-policy', 'allkeys-lru'] })
    onTestFinished(() => redis.stop())
    expect(await faults({ environment: { REDIS_URL: redis.url } })).toEqual([
      expect.stringMatching(/^redis: maxmemory-policy is allkeys-lru/),
    ])
    expect(await faults({ environment: { REDIS_URL: 'redis://127.0.0.1:1' } })).toEqual([
      expect.stringMatching(/^redis: it cannot be used: .*ECONNREFUSED/),
    ])
  })
})

test('a storage that refuses the key, or has no such bucket', async () => {
  const directory = await mkdtemp(join(inject('servers').runFolder, 's3-'))
  const server = await startS3Server({ directory, bucket: 'there', secretAccessKey: 'right', port: 0 })
  onTestFinished(() => server.close())
  const storage = (bucket: string, secret: string) => ({
    environment: {
      S3_ENDPOINT: `http://127.0.0.1:${server.port}`,
      S3_BUCKET: bucket,
      S3_ACCESS_KEY_ID: ACCESS_KEY_ID,
      S3_SECRET_ACCESS_KEY: secret,
    },
  })
  expect(await faults(storage('there', 'right'))).toEqual([])
  expect(await faults(storage('there', 'wrong'))).toEqual([
    expect.stringMatching(/^storage: the bucket there cannot be used: HeadBucketCommand: .*\(403\)/),
  ])
  expect(await faults(storage('absent', 'right'))).toEqual([
    expect.stringMatching(/^storage: the bucket absent cannot be used: HeadBucketCommand: NotFound \(404\)/),
  ])
})

test('a mail server that is not there, and an address that no name server knows', async () => {
  const environment = {
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'a@example.com',
    BASE_URL: 'https://api.invalid',
  }
  expect(await faults({ environment })).toEqual([
    expect.stringMatching(/^mail: the mail server refuses: .*ECONNREFUSED/),
    expect.stringMatching(/^address: no name server knows api.invalid, the host of BASE_URL/),
  ])
})
