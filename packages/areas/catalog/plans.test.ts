import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { declared } from '#platform/db/declared-statements.ts'
import { urlOf } from '#platform/db/pool.ts'
import { startApi, type TestApi } from '#testkit/api.ts'
import { makeCredentials } from '#testkit/areas/auth/credentials.ts'
import { readTables, tenantTables } from '#testkit/catalog/catalogue.ts'
import { actingHeaders, fillPath, makeNamed, pathIds, queryParameters } from '#testkit/catalog/sample-requests.ts'
import { walk } from '#testkit/catalog/walked-api.ts'
import { cloneDatabase, type TestDatabase } from '#testkit/database.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { makeFill } from '#testkit/plans/fill-tables.ts'
import { measureReads, type PreparedStatement, prepareWithAnyValues } from '#testkit/plans/measured-reads.ts'
import { MAY_READ_MUCH } from './reads-much.fixture.ts'

// Every statement that a request asked is planned while the tables have half of their rows, as a plan is that is kept; then the
// tables grow, and what each statement reads is counted.

const { rows: ROWS } = inject('plans')
vi.setConfig({ testTimeout: 120_000 + ROWS * 12, hookTimeout: 180_000 })

/** Tables that cannot have a row for each number. */
const FEWER = { project_clocks: 1, analytics_generations: 1, bill_numbers: 1, billing_settings: 1 }

let database: TestDatabase
let api: TestApi
let owner: pg.Client
let filled: Side

beforeAll(async () => {
  database = await cloneDatabase()
  owner = new pg.Client({ connectionString: database.url })
  await owner.connect()
  api = await startApi({ database })
  const [asking, other] = await makeProjects(api)
  filled = other.live
  await walk(api, asking.live, new Set())
  await askEveryFilter(asking.live)
})

afterAll(async () => {
  await owner.end()
  await api.close()
  await database.drop()
})

/** Sends every GET once with each value of each of its query parameters: lists have a statement for each choice of filters. */
async function askEveryFilter(side: Side): Promise<void> {
  const credentialFor = await makeCredentials(side)
  for (const endpoint of api.contract.endpoints.filter(({ method }) => method === 'GET')) {
    const ids: Record<string, string> = {}
    for (const { name, prefix } of pathIds(endpoint)) ids[name] = await makeNamed(side, prefix)
    const headers = actingHeaders(endpoint, await side.member())
    const parameters = queryParameters(endpoint)
    const needed = parameters.filter(({ required }) => required).map(({ name, example }) => [name, String(example)])
    for (const { name, schema, example } of parameters.filter(({ required }) => !required)) {
      const { enum: choices, type } = (schema ?? {}) as { enum?: unknown[]; type?: string }
      const values = choices ?? (type === 'boolean' ? [true, false] : name === 'page' ? [3] : [example])
      for (const value of values.filter((each) => each !== undefined)) {
        const search = new URLSearchParams([...needed, [name, String(value)]])
        await api.send('GET', `${fillPath(endpoint, ids)}?${search}`, { key: credentialFor(endpoint), headers })
      }
    }
  }
}

describe(`in a project of ${ROWS} rows in each table`, () => {
  const failures: string[] = []
  const reading: string[] = []
  let read = 0

  beforeAll(async () => {
    const tables = tenantTables(await readTables(owner))
    const fill = await makeFill(owner, tables, { projectId: filled.projectId, fewer: FEWER })
    await fill(1, ROWS / 2)
    await owner.query('analyze')
    const client = new pg.Client({ connectionString: urlOf(database.url, 'api', database.secretKey) })
    await client.connect()
    await client.query("set plan_cache_mode = 'force_generic_plan'")
    const prepared = await prepareAll(client)
    await fill(ROWS / 2 + 1, ROWS)
    await begin(client)
    for (const statement of prepared) {
      const { rows, answered, failure } = await measureReads(client, statement)
      read += 1
      // What a constraint refuses has been read before.
      if (failure && !failure.code?.startsWith('23')) failures.push(`${statement.label}: ${failure.message}`)
      else if (rows > 1_000 + 20 * answered && !(statement.label in MAY_READ_MUCH))
        reading.push(`${statement.label} reads ${rows} for ${answered}: ${statement.sql}`)
    }
    await client.query('rollback')
    await client.end()
  }, 120_000 + ROWS * 12)

  /** Prepares each statement and runs it once, so that it has its plan. */
  async function prepareAll(client: pg.Client): Promise<PreparedStatement[]> {
    const bySql = new Map(declared.statements.map((statement) => [statement.sql, statement]))
    const prepared: PreparedStatement[] = []
    for (const statement of bySql.values())
      prepared.push(await prepareWithAnyValues(client, statement, `s${prepared.length}`))
    await begin(client)
    for (const statement of prepared) await measureReads(client, statement)
    await client.query('rollback')
    return prepared
  }

  async function begin(client: pg.Client): Promise<void> {
    await client.query('begin')
    await client.query("select set_config('app.project_id', $1, true)", [filled.projectId])
  }

  test('every statement can be run', () => {
    expect(failures).toEqual([])
    expect(read).toBeGreaterThan(900)
  })

  test('no statement reads over 1,000 rows and 20 for each that it answers', () => {
    expect(reading).toEqual([])
  })

  test('every exception is a statement that there is', () => {
    const labels = new Set(declared.statements.map(({ label }) => label))
    expect(Object.keys(MAY_READ_MUCH).filter((label) => !labels.has(label))).toEqual([])
  })
})
