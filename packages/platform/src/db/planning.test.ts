import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { Type } from 'typebox'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startApi, type TestApi } from '#testkit/api.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { SOON } from '#testkit/soon.ts'
import type { Api } from '../http/api.ts'
import { envelope } from '../http/envelope.ts'
import { analyzeGrownTables } from '../jobs/schedules/housekeeping.ts'
import { openPool } from './pool.ts'
import { defineQuery } from './query.ts'

// How statements are planned: for indexes where requests are served, by what tables hold where reports are read.

let api: TestApi
let side: Side
/** Logs in as the owner, on one connection. */
let owner: pg.Client

const ROWS = 2_000

const settings = defineQuery(
  'settings_of_login',
  () => sql<{ login: string; scans: string; reads_only: string }>`
    select session_user as login, current_setting('enable_seqscan') as scans,
      current_setting('default_transaction_read_only') as reads_only`,
).single()
const Settings = Type.Object({ login: Type.String(), scans: Type.String(), reads_only: Type.String() })

function reports(routes: Api): void {
  const config = { access: { secret: 'any' }, onlyReads: true, reads: 'report' } as const
  const schema = { summary: 'The settings of its login', response: { 200: envelope(Settings) } }
  routes.post('/report', { config, schema }, async (request) => {
    const answer = await request.read({ settings: settings() })
    return answer.settings
  })
}

beforeAll(async () => {
  api = await startApi({ extra: reports })
  const [project] = await makeProjects(api)
  side = project.live
  owner = new pg.Client({ connectionString: api.database.url })
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await api.close()
})

/** Rows of a table that were read one after the other, by all connections. */
async function scannedRows(table: string): Promise<number> {
  await owner.query('select pg_stat_force_next_flush()')
  const { rows } = await owner.query('select seq_tup_read from pg_stat_user_tables where relname = $1', [
    table,
  ])
  return Number(rows[0].seq_tup_read)
}

test('a statement that was planned while its table was empty reads by key when the table has grown', async () => {
  // As after a night in which all keys have expired.
  await owner.query('vacuum (analyze) idempotency_keys')
  const post = () =>
    side.admin.post(
      '/plans',
      { name: 'Plan', price: 1, currency: 'eur' },
      {
        headers: { 'idempotency-key': randomUUID() },
      },
    )
  // PostgreSQL keeps a plan for all values after the fifth execution on a connection.
  const prepare = () => Promise.all(Array.from({ length: 100 }, post))
  await prepare()
  await owner.query(
    `insert into idempotency_keys (project_id, scope, key, token, fingerprint, status)
     select $1, 'other', n, gen_random_uuid(), '\\x00', 201 from generate_series(1, $2::int) n`,
    [side.projectId, ROWS],
  )
  const before = await scannedRows('idempotency_keys')
  await prepare()
  await expect.poll(() => scannedRows('idempotency_keys')).toBe(before)
})

test('a report is read by a login that plans scans, and writes nothing; with an Idempotency-Key by the one that writes', async () => {
  const ask = async (headers: Record<string, string> = {}) =>
    (await side.admin.post<{ data: { login: string } }>('/report', undefined, { headers })).body.data
  expect(await ask()).toMatchObject({
    login: expect.stringMatching(/^guildhall_reports_/),
    scans: 'on',
    reads_only: 'on',
  })
  expect(await ask({ 'idempotency-key': randomUUID() })).toMatchObject({
    login: expect.stringMatching(/^guildhall_api_/),
    scans: 'off',
    reads_only: 'off',
  })
})

test('a worker has tables analyzed that have grown, so that plans are made again that were kept from when they were empty', async () => {
  // Of indexes that cost the same PostgreSQL takes the one that was made last.
  await owner.query('create index mails_by_project on mails (project_id)')
  await owner.query('vacuum (analyze) mails')
  const config = { DATABASE_URL: api.database.url, SECRET_KEY: api.database.secretKey }
  const [requests, housekeeping] = (['api', 'housekeeper'] as const).map((role) =>
    openPool(config, { role, size: 1, onError: () => {} }),
  ) as [pg.Pool, pg.Pool]
  onTestFinished(async () => {
    await requests.end()
    await housekeeping.end()
  })
  await requests.query("select set_config('app.project_id', $1, false)", [side.projectId])
  await requests.query('set plan_cache_mode = force_generic_plan')
  await requests.query(
    'prepare by_id (uuid) as select subject from (select id as subject from mails) m where subject = $1',
  )
  /** Rows that the plan reads that the connection has kept. */
  const rowsRead = async () => {
    const { rows } = await requests.query(
      'explain (analyze, format json, timing off, costs off) execute by_id (gen_random_uuid())',
    )
    const removed = (plan: { Plans?: []; 'Rows Removed by Filter'?: number }): number =>
      (plan['Rows Removed by Filter'] ?? 0) + (plan.Plans ?? []).reduce((sum, each) => sum + removed(each), 0)
    return removed(rows[0]['QUERY PLAN'][0].Plan)
  }
  await rowsRead()
  await owner.query(
    `insert into mails (project_id, id, mail, to_address, state, finished_at)
     select $1, gen_random_uuid(), 'invitation', 'a@example.com', 'sent', now() from generate_series(1, $2::int)`,
    [side.projectId, ROWS],
  )
  await owner.query('select pg_stat_force_next_flush()')
  // Every index of an empty table that begins with the project is as good as the next one.
  expect(await rowsRead()).toBe(ROWS)
  const analyzed: string[] = []
  const run = () =>
    analyzeGrownTables.run({
      housekeeping,
      log: { info: ({ tables }: { tables: string[] }) => analyzed.push(...tables) },
    } as never)
  await expect
    .poll(async () => {
      await run()
      return analyzed
    }, SOON)
    .toContain('mails')
  expect(await rowsRead()).toBe(0)
  analyzed.length = 0
  await run()
  expect(analyzed).not.toContain('mails')
})
