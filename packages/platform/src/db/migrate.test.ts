import { readdir } from 'node:fs/promises'
import pg from 'pg'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { databaseUrl, dropDatabase, onServer } from '#testkit/database.ts'
import { TEST_SECRET_KEY } from '#testkit/provided.ts'
import { migrate } from './migrate.ts'
import { openPool } from './pool.ts'

const FILES = (await readdir(new URL('../../../../migrations/', import.meta.url))).sort()

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
