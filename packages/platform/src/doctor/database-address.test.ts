import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROLES, type Role } from '#platform/db/logins.ts'
import { openPool } from '#platform/db/pool.ts'
import { assertDatabaseAddress } from '#platform/doctor/database-address.ts'
import { migrate } from '#platform/migrate/migrate.ts'
import { cloneDatabase, type TestDatabase } from '#testkit/database.ts'
import { startTransactionPooler, type TransactionPooler } from '#testkit/servers/transaction-pooler.ts'

let database: TestDatabase
let pooler: TransactionPooler

beforeAll(async () => {
  database = await cloneDatabase()
  pooler = await startTransactionPooler(database.url)
})
afterAll(async () => {
  await pooler.close()
  await database.drop()
})

const look = (url: string, direct?: string) =>
  assertDatabaseAddress({
    DATABASE_URL: url,
    DATABASE_DIRECT_URL: direct,
    SECRET_KEY: database.secretKey,
  })

test('PostgreSQL itself needs no second address, and one that does not answer is waited for', async () => {
  expect(await look(database.url)).toBeUndefined()
  expect(await look(database.url, database.url)).toBeUndefined()
  expect(await look('postgres://127.0.0.1:1/guildhall')).toBeUndefined()
})

test('a pooler needs the address of PostgreSQL beside it, and is no such address itself', async () => {
  await expect(look(pooler.url)).rejects.toThrow(
    /^DATABASE_URL leads to a pooler: set DATABASE_DIRECT_URL to PostgreSQL itself/,
  )
  await expect(look(database.url, pooler.url)).rejects.toThrow(/^DATABASE_DIRECT_URL leads to a pooler/)
})

test('a pooler that keeps a server for each connection works, and the log says what it costs', async () => {
  expect(await look(pooler.url, database.url)).toMatch(/a pooler in session mode: each connection/)
})

test('migrations refuse a pooler', async () => {
  await expect(migrate({ databaseUrl: pooler.url, secretKey: database.secretKey })).rejects.toThrow(
    /leads to a pooler: migrations need PostgreSQL itself/,
  )
})

/** A setting of each login that differs from the others. */
const SETTINGS: { readonly [R in Role]?: readonly [name: string, value: string] } = {
  api: ['enable_seqscan', 'off'],
  reports: ['default_transaction_read_only', 'on'],
  relay: ['enable_hashjoin', 'off'],
  queue: ['search_path', 'bullmq'],
}

test('connections send no start-up options: the logins have the settings', async () => {
  const config = { DATABASE_URL: database.url, SECRET_KEY: database.secretKey }
  for (const role of ROLES) {
    const pool = openPool(config, { role, size: 1, onError: () => undefined })
    expect(pool.options.options).toBeUndefined()
    const [name, value] = SETTINGS[role] ?? ['jit', 'off']
    const { rows } = await pool.query('select current_setting($1) as value', [name])
    expect([role, rows[0].value]).toEqual([role, value])
    await pool.end()
  }
})
