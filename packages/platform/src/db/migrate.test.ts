import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest'
import { databaseUrl, dropDatabase, onServer } from '#testkit/database.ts'
import { TEST_SECRET_KEY } from '#testkit/provided.ts'
import { SOON } from '#testkit/soon.ts'
import { migrate } from './migrate.ts'
import { loginOf, openPool } from './pool.ts'

const FOLDER = new URL('../../../../migrations/', import.meta.url)
const FILES = (await readdir(FOLDER)).sort()

let url: string
let owner: pg.Pool

beforeEach(async () => {
  const { postgresUrl, prefix } = inject('servers')
  const name = `${prefix}_migrate_${Math.random().toString(36).slice(2)}`
  url = databaseUrl(postgresUrl, name)
  await onServer(postgresUrl, `create database ${name}`)
  owner = new pg.Pool({ connectionString: url, max: 1 })
})
afterEach(async () => {
  await owner.end()
  await dropDatabase(url)
})

const run = (secretKey = TEST_SECRET_KEY) => migrate({ databaseUrl: url, secretKey })
const landed = async () =>
  (await owner.query<{ name: string }>('select name from schema_migrations order by name')).rows.map(
    (row) => row.name,
  )

test('any number may migrate at once: one works, the others find it done', async () => {
  const results = await Promise.all(Array.from({ length: 4 }, () => run()))
  expect(results.map(({ applied }) => applied.length).sort((a, b) => b - a)).toEqual([FILES.length, 0, 0, 0])
  expect(await landed()).toEqual(FILES)
  expect((await run()).applied).toEqual([])
})

test('a migration that was edited after it had landed is refused by its name, and nothing is applied', async () => {
  await run()
  await owner.query("update schema_migrations set checksum = 'of other text' where name = $1", [FILES[1]])
  await owner.query('delete from schema_migrations where name = $1', [FILES.at(-1)])
  await expect(run()).rejects.toThrow(`migration ${FILES[1]} was edited after it had been applied`)
  expect(await landed()).toEqual(FILES.slice(0, -1))
})

test('a migration that fails is named and leaves nothing of itself', async () => {
  await run()
  // Forgotten, so that it is applied again, on top of what it made.
  await owner.query('delete from schema_migrations where name = $1', [FILES[1]])
  await expect(run()).rejects.toThrow(`migration ${FILES[1]} failed: relation "projects" already exists`)
  expect(await landed()).not.toContain(FILES[1])
  expect((await owner.query('select from projects')).rowCount).toBe(0)
})

test('a migration that waits for a table gives way to requests, and is applied once the table is free', async () => {
  const folder = await mkdtemp(join(inject('servers').runFolder, 'migrations-'))
  await cp(FOLDER, folder, { recursive: true })
  await run()
  await writeFile(join(folder, '99991231T0000_more.sql'), 'alter table projects add column more text')
  const requests = new pg.Pool({ connectionString: url })
  const holder = await requests.connect()
  try {
    await holder.query('begin; lock table projects in access share mode')
    const migrated = migrate({
      databaseUrl: url,
      secretKey: TEST_SECRET_KEY,
      folder: pathToFileURL(`${folder}/`),
    })
    await vi.waitFor(async () => {
      const waiting = await owner.query(
        `select from pg_stat_activity where application_name = 'guildhall migrate' and wait_event_type = 'Lock'
         and datname = current_database()`,
      )
      expect(waiting.rowCount).toBe(1)
    }, SOON)
    // This waits behind the migration, until that gives way.
    expect((await requests.query('select from projects')).rowCount).toBe(0)
    await holder.query('rollback')
    expect((await migrated).applied).toEqual(['99991231T0000_more.sql'])
  } finally {
    holder.release()
    await requests.end()
    await rm(folder, { recursive: true })
  }
})

test('a database of an earlier version gets the logins and settings of this one', async () => {
  await run()
  const user = (role: 'api' | 'reports') => pg.escapeIdentifier(loginOf(url, role, TEST_SECRET_KEY).user)
  const name = pg.escapeIdentifier(new URL(url).pathname.slice(1))
  await owner.query(`alter role ${user('api')} in database ${name} reset enable_seqscan`)
  await owner.query(
    `revoke connect on database ${name} from ${user('reports')}; drop role ${user('reports')}`,
  )
  expect((await run()).applied).toEqual([])
  const ask = async (role: 'api' | 'reports') => {
    const config = { DATABASE_URL: url, SECRET_KEY: TEST_SECRET_KEY }
    const pool = openPool(config, { role, size: 1, onError: () => {} })
    const { rows } = await pool.query(`select current_setting('enable_seqscan') as scans,
      has_table_privilege('members', 'select') as reads`)
    await pool.end()
    return rows[0]
  }
  expect(await ask('api')).toEqual({ scans: 'off', reads: true })
  expect(await ask('reports')).toEqual({ scans: 'on', reads: true })
})

test('another secret key gives the logins other passwords', async () => {
  await run()
  await run('another secret key, of 32 characters or more')
  const login = (secretKey: string) => {
    const pool = openPool(
      { DATABASE_URL: url, SECRET_KEY: secretKey },
      { role: 'api', size: 1, onError: () => {} },
    )
    return pool.query('select 1').finally(() => pool.end())
  }
  await expect(login('another secret key, of 32 characters or more')).resolves.toMatchObject({ rowCount: 1 })
  const { rows } = await owner.query<{ trusts: boolean }>(
    `select bool_or(auth_method = 'trust') as trusts from pg_hba_file_rules`,
  )
  // A server that asks nobody for a password cannot refuse one.
  if (rows[0]?.trusts !== true) await expect(login(TEST_SECRET_KEY)).rejects.toMatchObject({ code: '28P01' })
})
