import pg from 'pg'
import { expect, test } from 'vitest'
import { urlOf } from '#platform/db/logins.ts'
import { cloneDatabase } from './database.ts'

async function names(url: string, sql: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<{ name: string }>(sql)).rows.map((row) => row.name)
  } finally {
    await client.end()
  }
}

test('two clones are migrated and share nothing', async () => {
  const [one, two] = await Promise.all([cloneDatabase(), cloneDatabase()])
  const tables =
    "select table_name as name from information_schema.tables where table_name in ('members', 'only_here')"
  await names(one.url, 'create table only_here ()')
  expect((await names(one.url, tables)).sort()).toEqual(['members', 'only_here'])
  expect(await names(two.url, tables)).toEqual(['members'])
  await Promise.all([one.drop(), two.drop()])
})

test('a clone is reached through a runtime login that is no superuser, and both are gone after it is dropped', async () => {
  const observer = await cloneDatabase()
  const database = await cloneDatabase()
  const login = urlOf(database.url, 'api', database.secretKey)
  expect(
    await names(login, 'select rolname as name from pg_roles where rolname = current_user and not rolsuper'),
  ).toHaveLength(1)
  const traces = `select datname as name from pg_database where datname = '${new URL(database.url).pathname.slice(1)}'
    union all select rolname from pg_roles where rolname = '${new URL(login).username}'`
  expect(await names(observer.url, traces)).toHaveLength(2)
  await database.drop()
  expect(await names(observer.url, traces)).toEqual([])
  await observer.drop()
})

test('a database waits for connections that are still closing: its end cuts none of them', async () => {
  class LateClient extends pg.Client {
    override end(callback?: (error: Error) => void): Promise<void> {
      setTimeout(() => super.end(callback as (error: Error) => void), 100)
      return Promise.resolve()
    }
  }
  const database = await cloneDatabase()
  const pool = new pg.Pool({ connectionString: database.url, Client: LateClient })
  const errors: Error[] = []
  pool.on('error', (error) => errors.push(error))
  const closed = new Promise((resolve) => pool.on('remove', resolve))
  await pool.query('select 1')
  await pool.end()
  await database.drop()
  await closed
  expect(errors).toEqual([])
})
