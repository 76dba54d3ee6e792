import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { Type } from 'typebox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Api } from '#platform/http/api.ts'
import { envelope, ok } from '#platform/http/envelope.ts'
import { startApi, type TestApi } from '#testkit/api.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { query, statement } from './statement.ts'

// How statements are planned: for indexes where requests are served, by what tables hold where reports are read.

let api: TestApi
let side: Side
/** Logs in as the owner, on one connection. */
let owner: pg.Client

const ROWS = 2_000

const settings = statement('settings_of_login', () => ({
  compile: () =>
    sql<object>`select session_user as login, current_setting('enable_seqscan') as scans,
      current_setting('default_transaction_read_only') as reads_only`.compile(query),
}))
const Settings = Type.Object({ login: Type.String(), scans: Type.String(), reads_only: Type.String() })

function reports(routes: Api): void {
  const config = { access: { secret: 'any' }, onlyReads: true, reads: 'report' } as const
  const schema = { summary: 'The settings of its login', response: { 200: envelope(Settings) } }
  routes.post('/report', { config, schema }, async (request) =>
    ok((await request.inProject((ctx) => ctx.tx.single(settings, {}))) as never),
  )
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
