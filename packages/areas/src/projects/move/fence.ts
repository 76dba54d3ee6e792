import pg, { type Pool } from 'pg'
import { TENANT_TABLES } from './published.ts'

/** A table that others use is tried again. */
const LOCK_MS = 300
const ATTEMPTS = 200

const nameOf = (liveId: string) => `fence_${liveId.replaceAll('-', '')}`

/**
 * Lays the fence around both sides of a project: triggers that refuse writes once the project is held, or lives elsewhere. One table at a
 * time, so that no writer waits for more than one.
 */
export async function layFence(owner: Pool, sides: readonly [string, string]): Promise<void> {
  const [liveId] = sides
  const { rows } = await owner.query<{ name: string; id: string }>(
    `select t.name, t.id from (${TENANT_TABLES} union all select 'projects', 'id') as t
     where not exists (select from pg_trigger g where g.tgrelid = t.name::regclass and g.tgname = $1)`,
    [`${nameOf(liveId)}_d`],
  )
  const among = (row: string, column: string) =>
    `${row}.${column} in (${sides.map((side) => pg.escapeLiteral(side)).join(', ')})`
  for (const { name, id } of rows)
    await patiently(owner, [
      `create or replace trigger ${nameOf(liveId)}_w before insert or update on ${name} for each row
        when (${among('new', id)}) execute function app.fence_moving('${liveId}')`,
      `create or replace trigger ${nameOf(liveId)}_d before delete on ${name} for each row
        when (${among('old', id)}) execute function app.fence_moving('${liveId}')`,
    ])
}

/** Takes it away, one table at a time. */
export async function removeFence(owner: Pool, liveId: string): Promise<void> {
  for (;;) {
    const [result] = await patiently(owner, [`select app.unfence_moved('${liveId}') as left`])
    if (result?.rows[0]?.left === false) return
  }
}

/** One transaction that waits for locks only a moment, because others wait behind it. */
async function patiently(owner: Pool, statements: readonly string[]): Promise<pg.QueryResult[]> {
  for (let attempt = 1; ; attempt++) {
    const client = await owner.connect()
    try {
      await client.query(`begin; set local lock_timeout = ${LOCK_MS}`)
      const results: pg.QueryResult[] = []
      for (const text of statements) results.push(await client.query(text))
      await client.query('commit')
      return results
    } catch (error) {
      await client.query('rollback')
      if ((error as { code?: string }).code !== '55P03' || attempt === ATTEMPTS) throw error
    } finally {
      client.release()
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
