import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { isCode, makeCodeHash, newLinkAndCode } from '#areas/auth/tokens/one-time-tokens.ts'
import { makeToken, secondsSince } from '#areas/forms/submissions/spam.ts'
import { makeUnsubscribeLinks } from '#areas/notifications/mails/unsubscribe-link.ts'
import { fileLinks } from '#areas/storage/content/file-links.ts'
import { openPool } from '#platform/db/pool.ts'
import { newUuid, toId } from '#platform/ids.ts'
import { readProjectKeys } from '#platform/keys/project-keys.ts'
import { makeUnsubscribeLinks as makeLinks } from '#platform/mail/unsubscribe-links.ts'
import { assertInstallation } from '#platform/migrate/assert-installation.ts'
import { NotReadyToRotate, readKeyStatus, rotateSecretKey } from '#platform/migrate/rotate-secret-key.ts'
import { fingerprintOf, SecretKeyError } from '#platform/migrate/secret-key.ts'
import { redisNamespace } from '#platform/redis/redis-namespace.ts'
import { makeCheckedHash } from '#platform/secrets/keyed-hash.ts'
import { isSealedByProject, makeProjectBox } from '#platform/secrets/project-box.ts'
import { makeSecretBox } from '#platform/secrets/secret-box.ts'
import type { SecretKeys } from '#platform/secrets/secret-keys.ts'
import { startApi, type TestApi } from '#testkit/api.ts'
import { runSchedule } from '#testkit/areas/run-schedule.ts'
import { registerEndpoint, secretOf } from '#testkit/areas/webhooks.ts'
import { makeRow } from '#testkit/catalog/any-row.ts'
import { readTables, tenantTables } from '#testkit/catalog/catalogue.ts'
import { makeProjects, type TestProject } from '#testkit/factories.ts'
import { TEST_SECRET_KEY as OLD } from '#testkit/provided.ts'
import { ofRow, SEALED } from '../transfer/sealed.ts'
import { keepProjectKeys } from './keep-project-keys.schedule.ts'
import { LASTING, sealAnew } from './seal-anew.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

const NEW = 'the next secret key of the tests, 32 characters'
const BOTH: SecretKeys = { SECRET_KEY: NEW, SECRET_KEY_OLD: OLD }

let api: TestApi
let one: TestProject
let other: TestProject
/** Of the first project, and its secret. */
let endpoint: { id: string; secret: string }
beforeAll(async () => {
  api = await startApi()
  ;[one, other] = await makeProjects(api)
  await fill(one)
  await fill(other)
})
afterAll(() => api.close())

const sides = () => [one, other].flatMap(({ live, test: another }) => [live.projectId, another.projectId])
const keep = () => runSchedule(keepProjectKeys, api.config)
const place = (keys: SecretKeys) => ({ databaseUrl: api.database.url, keys })

/** As if the keys of projects had been made ten minutes ago, so that every process knows them. */
async function age(): Promise<void> {
  await api.owner.query("update project_keys set created_at = now() - interval '10 minutes'")
  await api.owner.query("update installation set wrapped_at = now() - interval '10 minutes'")
  await readProjectKeys(api.owner, BOTH)
}

/** A row in every table, with a secret that is sealed with SECRET_KEY itself. */
async function fill(project: TestProject): Promise<void> {
  const client = new pg.Client({ connectionString: api.database.url })
  await client.connect()
  try {
    const tables = await readTables(client)
    for (const projectId of [project.live.projectId, project.test.projectId]) {
      const made = new Map<string, Record<string, unknown>>()
      await client.query("select set_config('app.project_id', $1, false)", [projectId])
      for (const { name } of tenantTables(tables)) await makeRow(client, tables, name, projectId, made)
    }
    for (const [table, columns] of Object.entries(SEALED))
      for (const { column, purpose, owner = ofRow } of columns)
        for (const { ctid, ...row } of await rowsOf(table))
          await client
            .query(
              `update ${table} set ${column} = $2 ${column === 'previous_secret' ? ", previous_secret_until = now() + interval '1 day'" : ''} where ctid = $1`,
              [ctid, makeSecretBox(OLD, purpose).seal(textOf(table, column, row), owner(row))],
            )
            .catch((error) => {
              // A row that may not have this one.
              if (error.code !== '23514') throw error
            })
  } finally {
    await client.end()
  }
}

const rowsOf = async (table: string) =>
  (
    await api.owner.query(
      `select ctid, * ${table === 'analytics_salts' ? ', day::text as day' : ''} from ${table} where project_id = any ($1)`,
      [sides()],
    )
  ).rows
const textOf = (table: string, column: string, row: Record<string, unknown>) =>
  `${table}.${column} of ${row['project_id']}`

test('until every process knows the key of a project, SECRET_KEY seals', async () => {
  await keep()
  const box = makeProjectBox({ SECRET_KEY: OLD }, 'tests')
  await readProjectKeys(api.owner, { SECRET_KEY: OLD })
  const sealed = box.seal('text', 'owner', one.live.projectId)
  expect([isSealedByProject(sealed), box.open(sealed, 'owner')]).toEqual([false, 'text'])
  await expect(rotateSecretKey(place(BOTH))).rejects.toThrow(NotReadyToRotate)
})

test('what was sealed with SECRET_KEY is sealed with the key of its project, although a run was killed and another change came between', async () => {
  await age()
  const killed = new AbortController()
  killed.abort()
  expect(await sealAnew(one.live, { SECRET_KEY: OLD }, killed.signal)).toBe(0)
  endpoint = { id: (await registerEndpoint(one.live)).id, secret: '' }
  endpoint = { ...endpoint, secret: await secretOf(one.live, endpoint.id) }
  await keep()
  await keep()
  expect(await readKeyStatus(place({ SECRET_KEY: OLD }))).toMatchObject({ waiting: 0 })
  for (const { table, column } of LASTING) {
    const rows = (await rowsOf(table)).filter((row) => row[column] !== null)
    expect(rows.length, `${table}.${column}`).toBeGreaterThan(0)
    for (const row of rows) expect(isSealedByProject(row[column]), `${table}.${column}`).toBe(true)
  }
  expect(await secretOf(one.live, endpoint.id)).toBe(endpoint.secret)
  const { rows } = await api.owner.query('select private_key from signing_keys')
  for (const { private_key } of rows) expect(isSealedByProject(private_key)).toBe(true)
})

test('the key of one project opens nothing of another one, and no other row', async () => {
  const box = makeProjectBox({ SECRET_KEY: OLD }, 'tests')
  const sealed = box.seal('text', 'owner', one.live.projectId)
  expect(isSealedByProject(sealed)).toBe(true)
  expect(() => box.open(sealed, 'another owner')).toThrow()
  const moved = Buffer.from(sealed)
  makeProjectBox({ SECRET_KEY: OLD }, 'tests').seal('', '', other.live.projectId).copy(moved, 1, 1, 17)
  expect(() => box.open(moved, 'owner')).toThrow()
  expect(() => makeProjectBox({ SECRET_KEY: OLD }, 'other tests').open(sealed, 'owner')).toThrow()
})

test('a rotation refuses a key that is not the one of the database', async () => {
  const wrong = { SECRET_KEY: NEW, SECRET_KEY_OLD: 'no key of this database, 32 characters' }
  await expect(rotateSecretKey(place(wrong))).rejects.toThrow(SecretKeyError)
  await expect(rotateSecretKey(place({ SECRET_KEY: NEW }))).rejects.toThrow(NotReadyToRotate)
})

test('a new SECRET_KEY takes over while processes run that were started with both; every sealed column opens, and a rotation that was killed goes on', async () => {
  const { url: DATABASE_URL } = api.database
  // A process that starts before the rotation goes on with the key that the database has.
  const { keys } = await assertInstallation({ DATABASE_URL, ...BOTH })
  expect(keys).toEqual({ SECRET_KEY: OLD, SECRET_KEY_OLD: undefined, SECRET_KEY_NEW: NEW })
  const onError = () => undefined
  const running = openPool({ DATABASE_URL, ...keys }, { role: 'api', size: 1, onError })
  const connect = async (pool: typeof running) => {
    const client = await pool.connect()
    await client.query('select 1')
    // The next one is a new connection.
    client.release(true)
  }
  await connect(running)
  // Killed after its first step.
  await api.owner.query('update installation set key_fingerprint = $1', [fingerprintOf(NEW)])
  await connect(running)
  const done = await rotateSecretKey(place(BOTH))
  expect(done).toMatchObject({ waiting: 0, wrapped: done.projects, wrapped_by_old: 0 })
  expect(await rotateSecretKey(place(BOTH))).toEqual(done)
  await connect(running)
  await running.end()

  expect((await assertInstallation({ DATABASE_URL, ...BOTH })).keys).toMatchObject(BOTH)
  expect(await readProjectKeys(api.owner, { SECRET_KEY: NEW })).toEqual([])
  for (const [table, columns] of Object.entries(SEALED))
    for (const { column, purpose, owner = ofRow } of columns) {
      const isLasting = LASTING.some((each) => each.table === table && each.column === column)
      const after = makeProjectBox(BOTH, purpose)
      const later = makeProjectBox({ SECRET_KEY: NEW }, purpose)
      for (const row of (await rowsOf(table)).filter(
        (each) => String(each['id'] ?? '') !== '' || !isLasting,
      )) {
        if (row[column] === null || table === 'webhook_endpoints') continue
        expect(after.open(row[column], owner(row)), `${table}.${column}`).toBe(textOf(table, column, row))
        if (isLasting) expect(later.open(row[column], owner(row))).toBe(textOf(table, column, row))
      }
    }
  const restarted = await startApi({ database: { ...api.database, secretKey: NEW } })
  try {
    const path = `/api/v1/webhooks/${endpoint.id}/secret`
    const { body } = await restarted.send<{ data: typeof endpoint }>('GET', path, { key: one.live.key })
    expect(body.data.secret).toBe(endpoint.secret)
  } finally {
    await restarted.close()
  }
})

test('what mails and pages carry is accepted under the key before, and not without it', () => {
  const config = (keys: SecretKeys) => ({ BASE_URL: 'https://guild.example', ...keys })
  const [was, is, will] = [config({ SECRET_KEY: OLD }), config(BOTH), config({ SECRET_KEY: NEW })]
  // A process that has not been started again since: it accepts what the others make.
  const waits = config({ SECRET_KEY: OLD, SECRET_KEY_NEW: NEW })
  const [id, member, project] = [newUuid(), newUuid(), newUuid()]
  const discussionLinks = (from: typeof was) =>
    makeLinks(from, { purpose: 'unsubscribe from discussions', path: '/unsubscribe', ids: 3 })
  const accepted: Record<string, (from: typeof was, by: typeof was) => boolean> = {
    codes: (from, by) => {
      const { code, codeHash } = newLinkAndCode(project, makeCodeHash(from), id)
      return isCode(makeCodeHash(by), { id, code_hash: codeHash }, code)
    },
    'links out of discussions': (from, by) => {
      const [, token = ''] = /\/([\w-]+)$/.exec(discussionLinks(from).linkFor([project, id, member])) ?? []
      return discussionLinks(by).read(token) !== undefined
    },
    'links out of notifications': (from, by) => {
      const link = makeUnsubscribeLinks(from).linkFor({ projectId: project, member, kinds: [] })
      return makeUnsubscribeLinks(by).read(link.split('/').at(-1) ?? '') !== undefined
    },
    'links to files': (from, by) => {
      const file = toId('file', id)
      const url = new URL(fileLinks(from, project, 2_000_000_000).urlOf(file))
      const signature = url.searchParams.get('signature') ?? ''
      return fileLinks(by, project, 2_000_000_000).isSigned(file, signature)
    },
    'tokens of forms': (from, by) => {
      const now = new Date().toISOString()
      const token = makeToken(makeCheckedHash(from, 'form tokens'), id, now)
      return secondsSince(makeCheckedHash(by, 'form tokens'), id, token, now) !== undefined
    },
  }
  for (const [what, isAccepted] of Object.entries(accepted)) {
    expect([isAccepted(was, is), isAccepted(is, waits), isAccepted(is, will)], what).toEqual([
      true,
      true,
      true,
    ])
    expect([isAccepted(was, will), isAccepted(will, was)], what).toEqual([false, false])
  }
  const namespaces = [was, is, waits].map((each) =>
    redisNamespace({ ...each, DATABASE_URL: 'postgres://localhost/guild' }),
  )
  expect(new Set(namespaces).size).toBe(1)
})
