import type { Pool } from 'pg'
import type { Objects } from '#platform/storage/objects.ts'
import type { Log } from '#platform/telemetry/log.ts'
import { archiveFolder } from '../transfer/exports.ts'
import { tablesInOrder } from './table-order.ts'

/** Rows of one transaction: what a kill undoes at the most. */
const BATCH = 2_000

export interface RemovalParts {
  /** Logs in as guildhall_housekeeper. */
  readonly housekeeping: Pick<Pool, 'query'>
  readonly objects: Pick<Objects, 'isSetUp' | 'removeBelow' | 'measure'>
  readonly log: Log
  /** Ends the work between two transactions; it goes on with the next call. */
  readonly signal: AbortSignal
  /** Rows of one transaction. */
  readonly batch?: number
}

export interface Removal {
  readonly live_id: string
  readonly test_id: string
  readonly objects: number | null
  readonly removed_at: string | null
}

/**
 * Removes the rows and files of a deleted project whose grace is over. It can be killed at any moment; the next call goes on.
 * Two at once do nothing twice.
 * @returns whether nothing is left
 */
export async function removeProject(parts: RemovalParts, removal: Removal): Promise<boolean> {
  const { housekeeping, signal, log } = parts
  const { live_id, test_id } = removal
  const { rows: begun } = await housekeeping.query<{ begun: boolean }>(
    'select app.begin_removal($1) as begun',
    [live_id],
  )
  if (!begun[0]?.begun) return false
  await removeObjects(parts, removal)
  const tables = await tablesInOrder(housekeeping)
  for (const side of [live_id, test_id]) if (!(await removeRows(parts, side, tables))) return false
  if (signal.aborted) return false
  const { rows } = await housekeeping.query<{ left: (string | null)[] }>(
    'select app.end_removal($1) as left',
    [live_id],
  )
  const left = rows[0]?.left ?? []
  if (left.length === 0) return true
  if (left[0] === null) log.info('the removal of a project waits for a transaction that began before it')
  else log.error({ tables: left }, 'rows of a removed project are left; it is tried again')
  return false
}

/** Files are counted before the first is removed, so that the certificate has all of them. */
async function removeObjects(
  { housekeeping, objects }: RemovalParts,
  { live_id, test_id, objects: counted }: Removal,
): Promise<void> {
  if (!objects.isSetUp) return
  const { rows: exports } = await housekeeping.query<{ id: string }>(
    "select id from project_exports where live_id = $1 and report->'removed' is null",
    [live_id],
  )
  // An archive of an export is a copy of all of it.
  const prefixes = [`${live_id}/`, `${test_id}/`, ...exports.map(({ id }) => archiveFolder(id))]
  if (counted === null) {
    const found = await Promise.all(prefixes.map((prefix) => objects.measure(prefix)))
    const sum = (name: 'objects' | 'bytes') => found.reduce((total, each) => total + each[name], 0)
    await housekeeping.query(
      'update project_removals set objects = $2, bytes = $3 where live_id = $1 and objects is null',
      [live_id, sum('objects'), sum('bytes')],
    )
  }
  for (const prefix of prefixes) await objects.removeBelow(prefix)
}

/** @returns false where it was stopped */
async function removeRows(
  { housekeeping, signal, batch = BATCH }: RemovalParts,
  side: string,
  tables: readonly string[],
): Promise<boolean> {
  while (!signal.aborted) {
    const { rows } = await housekeeping.query<{ removed: number }>(
      'select app.remove_rows($1, $2::regclass[], $3) as removed',
      [side, tables, batch],
    )
    if (rows[0]?.removed === 0) return true
  }
  return false
}
