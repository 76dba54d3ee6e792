/** What stands before any test runs: one real PostgreSQL and a migrated template database in it. */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { loginOf, ROLES } from '#platform/db/logins.ts'
import { migrate } from '#platform/migrate/migrate.ts'
import { databaseUrl, onServer } from '#testkit/database.ts'
import { TEST_SECRET_KEY } from '#testkit/provided.ts'
import { findChromium, findProgram } from '../find-program.ts'
import { startPostgres } from '../postgres/server.ts'
import { clearRunFolder, makeRunFolder, postgresFolder } from './run-folder.ts'

/** Durability is for data that is read again; a test's is not. */
const QUICK = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  // A run makes thousands of logins and connections.
  scram_iterations: '1',
  // Four files at a time, some with several processes, each with its pools.
  max_connections: '400',
}

/** Runs once per `vitest` run; answers how to clear everything away. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const runFolder = process.env.GUILDHALL_TEST_FOLDER ?? (await makeRunFolder())
  const given = process.env.TEST_DATABASE_URL
  const server = given
    ? undefined
    : await startPostgres({ dataDir: postgresFolder(runFolder), settings: QUICK }).catch(async (error) => {
        await clearRunFolder(runFolder)
        throw error
      })
  const postgresUrl = given ?? databaseUrl(server?.url ?? '', 'postgres')
  const prefix = `gt_${randomBytes(3).toString('hex')}`
  const templateDatabase = `${prefix}_template`

  const clear = async () => {
    if (given) await dropAll(given, prefix)
    await server?.stop()
    await clearRunFolder(runFolder)
  }

  try {
    await onServer(postgresUrl, `create database ${templateDatabase}`)
    await migrate({ databaseUrl: databaseUrl(postgresUrl, templateDatabase), secretKey: TEST_SECRET_KEY })
  } catch (error) {
    await clear()
    throw error
  }
  project.provide('servers', {
    postgresUrl,
    templateDatabase,
    prefix,
    redisServer: findProgram('redis-server', 'valkey-server'),
    browser: findChromium(),
    runFolder,
  })
  const { GUILDHALL_FUZZ_SECONDS = '0', GUILDHALL_FUZZ_SEED = '20261122' } = process.env
  const { GUILDHALL_MONEY_WALKS = '2', GUILDHALL_MONEY_SEED = '20261123' } = process.env
  project.provide('walks', { count: Number(GUILDHALL_MONEY_WALKS), seed: Number(GUILDHALL_MONEY_SEED) })
  const { GUILDHALL_PLANS_ROWS = '3000' } = process.env
  project.provide('plans', { rows: Number(GUILDHALL_PLANS_ROWS) })
  project.provide('fuzz', { seconds: Number(GUILDHALL_FUZZ_SECONDS), seed: Number(GUILDHALL_FUZZ_SEED) })
  return clear
}

/** On a server that is not ours, what interrupted test files have left is removed by name. */
async function dropAll(serverUrl: string, prefix: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      'select datname as name from pg_database where datname like $1',
      [`${prefix}\\_%`],
    )
    for (const { name } of rows) {
      await client.query(`drop database if exists ${client.escapeIdentifier(name)} with (force)`)
      for (const role of ROLES) {
        const { user } = loginOf(databaseUrl(serverUrl, name), role, TEST_SECRET_KEY)
        await client.query(`drop role if exists ${client.escapeIdentifier(user)}`)
      }
    }
  } finally {
    await client.end()
  }
}
