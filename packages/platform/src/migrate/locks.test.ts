import pg from 'pg'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { newUuid } from '#platform/ids.ts'
import { readTables, tenantTables } from '#testkit/catalog/catalogue.ts'
import { databaseUrl, dropDatabase, onServer } from '#testkit/database.ts'
import { makeFill } from '#testkit/plans/fill-tables.ts'
import { TEST_SECRET_KEY } from '#testkit/provided.ts'
import { BASELINE, FILES, migrateToBaseline } from './baseline.fixture.ts'
import { migrate } from './migrate.ts'

/** Of each table. */
const ROWS = 1_000
const FILL_MS = 120_000

let url: string
let owner: pg.Client

// A test that is repeated migrates once more.
beforeEach(async () => {
  const { postgresUrl, prefix } = inject('servers')
  const name = `${prefix}_locks`
  url = databaseUrl(postgresUrl, name)
  await onServer(postgresUrl, `create database ${name}`)
  await migrateToBaseline(url)
  owner = new pg.Client({ connectionString: url })
  await owner.connect()
}, FILL_MS)
afterEach(async () => {
  await owner.end()
  await dropDatabase(url)
})

test(
  'every migration after version 0.1.0 is applied to tables with rows, and keeps no writer waiting for a second',
  async () => {
    const tables = tenantTables(await readTables(owner))
    const fill = await makeFill(owner, tables, { projectId: newUuid() })
    await fill(1, ROWS)
    await owner.query('analyze')
    const writer = new pg.Client({ connectionString: url })
    await writer.connect()
    await writer.query("set lock_timeout = '1s'")
    let migrating = true
    let asked = 0
    const waited: string[] = []
    const writing = (async () => {
      while (migrating)
        for (const { name } of tables) {
          asked += 1
          await writer
            .query(`begin; lock table "${name}" in row exclusive mode; commit`)
            .catch(async ({ code, message }: pg.DatabaseError) => {
              await writer.query('rollback')
              // A later migration may drop the table.
              if (code !== '42P01') waited.push(`${name}: ${code} ${message}`)
            })
        }
    })()
    const { applied } = await migrate({
      databaseUrl: url,
      secretKey: TEST_SECRET_KEY,
      contract: true,
    }).finally(() => {
      migrating = false
    })
    await writing
    await writer.end()
    expect(applied).toEqual(FILES.slice(BASELINE.files.length))
    expect(asked).toBeGreaterThan(tables.length)
    expect(waited).toEqual([])
  },
  FILL_MS,
)
