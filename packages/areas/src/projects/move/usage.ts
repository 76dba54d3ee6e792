import { setTimeout as sleep } from 'node:timers/promises'
import { inTransaction } from '../transaction.ts'
import { oneValue } from './installation.ts'
import type { Move } from './move.ts'

/** Within which every process has added what it has counted: they do so every five seconds. */
const COUNTED_MS = 7_000

/**
 * The usage of a project goes with it, so that one installation has all of its months, and each request is counted in one of them.
 * It waits for what processes here have counted before the switch. May be repeated.
 * @param waitedMs since the switch
 */
export async function moveUsage({ source, target, sides, row }: Move, waitedMs: number): Promise<void> {
  await sleep(Math.max(0, COUNTED_MS - waitedMs))
  const used = await oneValue<string>(
    source.owner,
    "select coalesce(json_agg(u), '[]')::text as value from project_usage u where side = any ($1)",
    [sides],
  )
  await inTransaction(target.owner, async (client) => {
    // As a process numbers its counts: what was killed afterwards adds nothing again.
    const { rowCount } = await client.query(
      'insert into request_counters (process, last_count) values ($1, 1) on conflict do nothing',
      [row.id],
    )
    if (rowCount === 1)
      await client.query(
        `insert into project_usage as u select p.* from json_populate_recordset(null::project_usage, $1::json) as p
         on conflict (side, day) do update set requests = u.requests + excluded.requests,
           events = greatest(u.events, excluded.events), deliveries = greatest(u.deliveries, excluded.deliveries),
           mails = greatest(u.mails, excluded.mails), storage_bytes = greatest(u.storage_bytes, excluded.storage_bytes),
           active_members = greatest(u.active_members, excluded.active_members)`,
        [used],
      )
  })
  await source.owner.query('delete from project_usage where side = any ($1)', [sides])
}
