import pg from 'pg'
import { expect, test } from 'vitest'
import { urlOf } from '#platform/db/logins.ts'
import { declared } from '#platform/db/statement.ts'
import { newUuid } from '#platform/ids.ts'
import { cloneDatabase } from '#testkit/database.ts'
import { readLog } from './queries.ts'

test('a page of the log finds each event by its id, also with a plan from when there was one event', async () => {
  const database = await cloneDatabase()
  const owner = new pg.Client({ connectionString: database.url })
  const client = new pg.Client({ connectionString: urlOf(database.url, 'api', database.secretKey) })
  try {
    await owner.connect()
    await owner.query("select set_config('app.project_id', $1, false)", [newUuid()])
    // No project is made for it.
    await owner.query('set session_replication_role = replica')
    await owner.query("insert into events (id, type, payload) values (gen_random_uuid(), 'x', '{}')")
    await owner.query('vacuum (analyze) events')
    await owner.query('vacuum (analyze) stream_log')
    await client.connect()
    // It is declared with its first use.
    readLog({ after: 0, upTo: 1, limit: 1, payloads: false })
    const statement = declared.statements.find(({ label }) => label === 'read_stream_log')
    await client.query("set plan_cache_mode = 'force_generic_plan'")
    await client.query(`prepare page as ${statement?.sql}`)
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      'explain (costs off) execute page(false, 0, 1000, 500)',
    )
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toMatch(/Index Cond: .*\(id = l\.id\)/)
    expect(plan).not.toContain('Join Filter')
  } finally {
    await owner.end()
    await client.end()
    await database.drop()
  }
})
