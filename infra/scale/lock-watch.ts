/** How long a migration holds tables against others, and how long others wait for it. */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

const EVERY_MS = 10
/** Of rows that a batch has changed: whoever changes one of them too waits for its end. */
const ROWS = 'RowExclusiveLock'
/** What somebody who reads or writes rows waits for. */
const HOLDS = [ROWS, 'ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock']

export interface LockWatch {
  /** Milliseconds that each table was held at a time, the longest first. */
  held(): readonly (readonly [table: string, mode: string, milliseconds: number])[]
  /** Milliseconds that a statement has waited for a lock. */
  readonly waited: number
  stop(): Promise<void>
}

/** Looks every 10 ms, so that a figure may be too small by as much. */
export async function watchLocks(databaseUrl: string): Promise<LockWatch> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'guildhall lock watch' })
  await client.connect()
  const since = new Map<string, number>()
  const longest = new Map<string, number>()
  let waited = 0
  let going = true
  const looking = (async () => {
    while (going) {
      const { rows } = await client.query<{ lock: string; of: string }>(
        `select c.relname || ' ' || l.mode as lock, l.virtualtransaction as of
         from pg_locks l join pg_class c on c.oid = l.relation join pg_stat_activity a on a.pid = l.pid
         where a.application_name = 'guildhall migrate' and l.granted and l.mode = any ($1) and c.relkind in ('r', 'p')
           and c.relnamespace = 'public'::regnamespace and (l.mode <> $2 or a.backend_xid is not null)`,
        [HOLDS, ROWS],
      )
      const now = performance.now()
      const present = new Set(rows.map(({ lock, of }) => `${lock} ${of}`))
      for (const each of since.keys()) if (!present.has(each)) since.delete(each)
      for (const { lock, of } of rows) {
        const key = `${lock} ${of}`
        if (!since.has(key)) since.set(key, now)
        longest.set(lock, Math.max(longest.get(lock) ?? 0, now - (since.get(key) ?? now) + EVERY_MS))
      }
      const { rows: waits } = await client.query<{ ms: number | null }>(
        `select max(extract(epoch from clock_timestamp() - query_start) * 1000)::float8 as ms from pg_stat_activity
         where wait_event_type = 'Lock' and wait_event = 'relation' and application_name <> 'guildhall migrate'`,
      )
      waited = Math.max(waited, waits[0]?.ms ?? 0)
      await sleep(EVERY_MS)
    }
  })()
  return {
    held: () =>
      [...longest]
        .map(([lock, ms]) => [...(lock.split(' ') as [string, string]), Math.round(ms)] as const)
        .toSorted((a, b) => b[2] - a[2]),
    get waited() {
      return Math.round(waited)
    },
    stop: async () => {
      going = false
      await looking
      await client.end()
    },
  }
}
