/** What an export is compared with: COPY of the same columns, as its own client reads it. */
import { spawn, spawnSync } from 'node:child_process'
import pg from 'pg'
import { csvRows } from '#platform/csv/row-writer.ts'
import { CopyOut } from '#platform/db/copy/copy-out.ts'
import { CopyScheduler } from '#platform/db/copy/copy-scheduler.ts'
import { FIELD_IDS, type FormTenant } from './data.ts'

/** Reads everything once and answers how long it took, in seconds. */
export interface Counterpart {
  readonly name: string
  run(): Promise<number>
}

/** psql, where the machine has one, or else a bare client of ours; both as the owner, whom no policy stops. */
export function counterpart(databaseUrl: string, { form }: FormTenant): Counterpart {
  const columns = FIELD_IDS.map((id) => `data ->> '${id}'`)
  const select = `select id, created_at, member_id, ${columns}, ip, user_agent, referrer from form_submissions
    where form_id = '${form.uuid}' and status = 'received' order by created_at, id`
  if (spawnSync('psql', ['--version']).status === 0)
    return { name: 'psql COPY', run: () => byPsql(databaseUrl, select) }
  return { name: 'COPY by a bare client (no psql here)', run: () => bare(databaseUrl, select) }
}

async function byPsql(databaseUrl: string, select: string): Promise<number> {
  const start = performance.now()
  const child = spawn('psql', ['-Xq', '-d', databaseUrl, '-c', `copy (${select}) to stdout csv`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code !== 0) throw new Error(`psql ended with ${code}`)
  return (performance.now() - start) / 1_000
}

async function bare(databaseUrl: string, sql: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const start = performance.now()
  const copy = client.query(
    new CopyOut({ sql, format: csvRows([]), stallMs: 60_000, turns: new CopyScheduler() }),
  )
  for await (const _ of copy);
  await client.end()
  return (performance.now() - start) / 1_000
}
