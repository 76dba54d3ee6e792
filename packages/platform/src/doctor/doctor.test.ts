import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { beforeAll, expect, inject, onTestFinished, test, vi } from 'vitest'
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

test('an index that somebody dropped, with the statement that makes it', async () => {
  const indexes = async () => (await findings()).filter(({ check }) => check === 'indexes')
  await asOwner('drop index members_email_key')
  const found = await indexes()
  expect(found.map((each) => each.found)).toEqual([
    'members_email_key is missing: somebody dropped it, or a copy left it out',
  ])
  const statement = found.map(({ cure = '' }) => cure.split('`')[1]).join(';')
  expect(statement).toMatch(/^create unique index concurrently members_email_key on members \(/)
  await asOwner(statement)
  expect(await indexes()).toEqual([])
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
  test('that removes signals when it is full', async () => {
    const redis = await startRedis({ settings: ['--maxmemory-policy', 'allkeys-lru'] })
    onTestFinished(() => redis.stop())
    expect(await faults({ environment: { REDIS_URL: redis.url } })).toEqual([
      expect.stringMatching(/^redis: maxmemory-policy is allkeys-lru/),
    ])
  })
})

/** A storage with one bucket and one key. @returns the settings that name a bucket and a key */
async function startStorage() {
  const directory = await mkdtemp(join(inject('servers').runFolder, 's3-'))
  const server = await startS3Server({ directory, bucket: 'there', secretAccessKey: 'right', port: 0 })
  onTestFinished(() => server.close())
  return (bucket: string, secret: string) => ({
    S3_ENDPOINT: `http://127.0.0.1:${server.port}`,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: ACCESS_KEY_ID,
    S3_SECRET_ACCESS_KEY: secret,
  })
}

test('a storage that takes, gives and removes objects has no fault', async () => {
  const storage = await startStorage()
  expect(await faults({ environment: storage('there', 'right') })).toEqual([])
})

/** Looks at an installation whose settings differ. */
const withEnvironment = (environment: Record<string, string>) => () => findings({ environment })

/** Looks at an installation whose address of the database differs. */
const withUrl = (change: (url: URL) => void) => () => {
  const url = new URL(database.url)
  change(url)
  return findings({ url: url.href })
}

/** Looks at a database that the owner changed by a statement. The second statement takes it back. */
const withChange = (sql: string, back: string) => async () => {
  await asOwner(sql)
  return findings().finally(() => asOwner(back))
}

/** Looks from a machine whose clock is five minutes ahead. */
const withClockAhead = () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 300_000 })
  return findings().finally(() => vi.useRealTimers())
}

const LAST = 'select max(name) from schema_migrations'
const KEEP = 'create table kept as select * from schema_migrations'

test('fifteen broken installations have fifteen causes, each with a cure', async () => {
  const storage = await startStorage()
  const unmigrated = await emptyDatabase()
  // What is found, how it is mended, and the look at it.
  const broken: readonly (readonly [RegExp, RegExp, () => ReturnType<typeof findings>])[] = [
    [
      /^DATABASE_POOL_SIZE is "many": expected a number from 1 to 500$/,
      /^Correct this variable/,
      withEnvironment({ DATABASE_POOL_SIZE: 'many' }),
    ],
    [
      /^SECRET_KEY is not the one that this database was made with$/,
      /^Set the right SECRET_KEY/,
      () => findings({ secretKey: 'another-key-of-thirty-two-letters' }),
    ],
    [/password authentication failed/, /^Set the owner's password/, withUrl((url) => (url.password = 'no'))],
    [
      /^it asks for a password of the owner, and its address has none$/,
      /with the login of the owner/,
      withUrl((url) => (url.password = '')),
    ],
    [/database "nowhere" does not exist$/, /createdb/, withUrl((url) => (url.pathname = '/nowhere'))],
    [/login of the owner: .*ECONNREFUSED/, /^Start PostgreSQL/, withUrl((url) => (url.port = '1'))],
    [
      /^\d\d+ migrations are pending, the first is 20261124T0900_foundation/,
      /^Run `guildhall migrate`/,
      () => findings({ url: unmigrated }),
    ],
    [
      /^1 migrations are pending, the first is 2/,
      /migrate --plan/,
      withChange(
        `${KEEP}; delete from schema_migrations where name = (${LAST})`,
        `insert into schema_migrations select * from kept where name not in (select name from schema_migrations); drop table kept`,
      ),
    ],
    [
      /was edited after it had been applied/,
      /^Run the version of Guildhall that made this schema/,
      withChange(
        `${KEEP}; update schema_migrations set checksum = 'x' where name = (${LAST})`,
        'update schema_migrations m set checksum = k.checksum from kept k where k.name = m.name; drop table kept',
      ),
    ],
    [/^the clock of PostgreSQL is \d+\.\d s behind/, /NTP/, withClockAhead],
    [
      /^it cannot be used: .*ECONNREFUSED/,
      /start Redis/,
      withEnvironment({ REDIS_URL: 'redis://127.0.0.1:1' }),
    ],
    [
      /^the bucket there cannot be used: .*\(403\)/,
      /S3_SECRET_ACCESS_KEY/,
      withEnvironment(storage('there', 'wrong')),
    ],
    [
      /^the bucket absent cannot be used: .*NotFound \(404\)/,
      /S3_BUCKET/,
      withEnvironment(storage('absent', 'right')),
    ],
    [
      /^the mail server refuses: .*ECONNREFUSED/,
      /^Correct SMTP_URL/,
      withEnvironment({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'a@example.com' }),
    ],
    [
      /^no name server knows api.invalid, the host of BASE_URL/,
      /DNS/,
      withEnvironment({ BASE_URL: 'https://api.invalid' }),
    ],
  ]
  const causes = new Set<string>()
  for (const [found, cure, look] of broken) {
    const all = (await look()).filter(({ state }) => state === 'fault')
    expect
      .soft(all)
      .toEqual([
        expect.objectContaining({ found: expect.stringMatching(found), cure: expect.stringMatching(cure) }),
      ])
    causes.add(`${all[0]?.check}: ${all[0]?.found}`)
  }
  expect(causes.size).toBe(broken.length)
})

test('a schema that a newer version has migrated is a warning, with what to do', async () => {
  const look = withChange(
    "insert into schema_migrations (name, checksum) values ('20990101T0000_of_a_newer_version', 'x')",
    "delete from schema_migrations where name like '2099%'",
  )
  const ofSchema = (found: Awaited<ReturnType<typeof findings>>) =>
    found.filter(({ check }) => check === 'schema')
  expect(ofSchema(await look())).toEqual([
    {
      check: 'schema',
      state: 'warning',
      found:
        'a newer version of Guildhall has migrated it: 1 migrations are not of this version, the last is 20990101T0000_of_a_newer_version',
      cure: expect.stringMatching(/^Run the newer version everywhere/),
    },
  ])
  expect(ofSchema(await findings())).toEqual([])
})

test('a look that PostgreSQL asks for a password leaves no connection that holds up DROP DATABASE', async () => {
  await withUrl((url) => (url.password = ''))()
  const owner = new pg.Client({ connectionString: database.url })
  await owner.connect()
  onTestFinished(() => owner.end())
  await owner.query('create database of_no_use')
  // PostgreSQL itself ends such a connection after a minute.
  await owner.query("set statement_timeout = '30s'")
  await owner.query('drop database of_no_use')
})
