import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { urlOf } from '#platform/db/logins.ts'
import { declared } from '#platform/db/statement.ts'
import { startApi, type TestApi } from '#testkit/api.ts'
import { makeCredentials } from '#testkit/areas/auth/credentials.ts'
import { makeOperator, setRole } from '#testkit/areas/console.ts'
import { readTables, tenantTables } from '#testkit/catalog/catalogue.ts'
import {
  actingHeaders,
  fillPath,
  makeNamed,
  memberQuery,
  pathIds,
  queryParameters,
} from '#testkit/catalog/sample-requests.ts'
import { walk } from '#testkit/catalog/walked-api.ts'
import { cloneDatabase, type TestDatabase } from '#testkit/database.ts'
import { makeProjects, type Side, type TestProject } from '#testkit/factories.ts'
import { makeFill } from '#testkit/plans/fill-tables.ts'
import {
  explain,
  keepPlans,
  measureReads,
  type PreparedStatement,
  prepareWithAnyValues,
  type Read,
} from '#testkit/plans/measured-reads.ts'
import { FEWER, FIXED, MAY_READ_MUCH, MAY_READ_MUCH_OF_MANY } from './reads-much.fixture.ts'

// Every statement that a request asked is planned while the tables have half of their rows, as a plan is that is kept; then the
// tables grow, and what each statement reads is counted.

const { rows: ROWS } = inject('plans')
vi.setConfig({ testTimeout: 120_000 + ROWS * 12, hookTimeout: 180_000 + ROWS * 3 })

/** Statements of the job that seals whole tables anew, in batches by their keys. Its own test runs it. */
const OF_WHOLE_TABLES = ['find_sealed_by_key', 'replace_sealed']

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
  await askInConsole(asking)
})

/** Lists of the console that are made of filters. */
async function askInConsole({ project, live }: TestProject): Promise<void> {
  const operator = await makeOperator(api)
  await setRole(api, live.projectId, operator.id, 'owner')
  const paths = [
    ...['requests', 'requests?status_class=4xx', 'requests?include_operators=true'],
    ...['events', 'events?type=member.*', `events?member_id=${await live.member()}`],
  ]
  for (const path of paths) await operator.call('GET', `/projects/${project.id}/${path}`)
}

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
    const needed = parameters
      .filter(({ required }) => required)
      .map(({ name, example }) => [name, String(example)])
      .concat(Object.entries(await memberQuery(endpoint, side)))
    for (const { name, schema, example } of parameters.filter(({ required }) => !required)) {
      const { enum: choices, type } = (schema ?? {}) as { enum?: unknown[]; type?: string }
      const values = choices ?? (type === 'boolean' ? [true, false] : name === 'page' ? [3] : [example])
      for (const value of values.filter((each) => each !== undefined)) {
        const search = new URLSearchParams([...needed, [name, String(value)]])
        await api.send('GET', `${fillPath(endpoint, ids)}?${search}`, {
          key: credentialFor(endpoint),
          headers,
        })
      }
    }
  }
}

describe(`in a project of ${ROWS} rows in each table`, () => {
  let measured: (PreparedStatement & Read)[] = []
  let offenders: string[] = []
  const readsMuch = ({ rows, answered }: Read) => rows > 1_000 + 20 * answered

  beforeAll(
    async () => {
      const tables = tenantTables(await readTables(owner))
      const { projectId } = filled
      const fill = await makeFill(owner, tables, { projectId, fewer: FEWER, fixed: FIXED })
      await fill(1, ROWS / 2)
      await owner.query('analyze')
      const client = new pg.Client({ connectionString: urlOf(database.url, 'api', database.secretKey) })
      await client.connect()
      await client.query("set plan_cache_mode = 'force_generic_plan'")
      const bySql = new Map(declared.statements.map((statement) => [statement.sql, statement]))
      const prepared = await prepareWithAnyValues(client, [...bySql.values()])
      await inProject(client, () => keepPlans(client, prepared))
      await fill(ROWS / 2 + 1, ROWS)
      await inProject(client, async () => {
        measured = await measureReads(client, prepared)
        const excepted = { ...MAY_READ_MUCH, ...MAY_READ_MUCH_OF_MANY }
        const found = measured.filter((each) => readsMuch(each) && !(each.label in excepted))
        offenders = await Promise.all(
          found.map(
            async (each) =>
              `${each.label} reads ${each.rows} for ${each.answered}: ${each.sql}\n${await explain(client, each)}`,
          ),
        )
      })
      await client.end()
    },
    120_000 + ROWS * 12,
  )

  /** In a transaction that is undone. */
  async function inProject(client: pg.Client, work: () => Promise<void>): Promise<void> {
    await client.query('begin')
    await client.query("select set_config('app.project_id', $1, true)", [filled.projectId])
    await work()
    await client.query('rollback')
  }

  test('every statement can be run', () => {
    expect(measured.length).toBeGreaterThan(900)
    // What a constraint refuses has been read before; so has what is written twice, because rows are copies.
    const failed = measured.filter(({ failure }) => failure && !/^23|^21000/.test(failure.code ?? ''))
    expect(failed.map(({ label, failure }) => `${label}: ${failure?.message}`)).toEqual([])
  })

  test('every family of statements was asked', () => {
    const labels = new Set(measured.map(({ label }) => label))
    const missing = [...declared.families].filter((label) => !labels.has(label))
    expect(missing.toSorted()).toEqual(OF_WHOLE_TABLES)
  })

  test('no statement reads over 1,000 rows and 20 for each that it answers or writes', () => {
    expect(offenders).toEqual([])
  })

  test('every exception is needed', () => {
    const reading = new Set(
      measured.filter(({ rows, answered }) => rows > 100 + 20 * answered).map(({ label }) => label),
    )
    expect(Object.keys(MAY_READ_MUCH).filter((label) => !reading.has(label))).toEqual([])
  })
})
