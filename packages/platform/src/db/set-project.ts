import type { Pool } from 'pg'
import type { Bound } from './batch.ts'
import { perPool } from './pool.ts'

/**
 * Milliseconds that a write waits for a row or a unique value while other projects' writes are in its transaction: longer
 * than the commit of another batch takes, and much shorter than a lock that somebody keeps.
 */
const SHARED_LOCK_TIMEOUT_MS = 20

/** Live sides that are remembered at most; beyond that, it begins anew. */
const MOST_LIVE_SIDES = 50_000

/** Projects of which this process knows that they are live sides. A project never changes sides. */
const liveSidesOf = perPool(() => new Set<string>())

/** What else a transaction begins with. */
const MORE = {
  read_only: ", set_config('transaction_read_only', 'on', true)",
  lock_timeout: `, set_config('lock_timeout', '${SHARED_LOCK_TIMEOUT_MS}ms', true)`,
} as const

/**
 * Sets the project whose rows the following statements see by row-level security, and for `app.project_now()` how far its clock is moved. It answers the project. The clock of a live side is never moved, so nothing is looked up
 * for one that is known.
 *
 * `true`: settings end with the transaction, so a connection in the pool belongs to no project.
 * @param more that the transaction may not write, for its first statement; or that it has writes of several projects
 */
export function setProject(pool: Pool, projectId: string, more?: keyof typeof MORE): Bound {
  const liveSides = liveSidesOf(pool)
  const [suffix, also] = more === undefined ? ['', ''] : [`_${more}`, MORE[more]]
  if (liveSides.has(projectId))
    return {
      name: `g_set_live_project${suffix}`,
      sql: `select set_config('app.project_id', $1, true) as project_id, set_config('app.clock_moved', '0', true)${also}`,
      values: [projectId],
    }
  return {
    name: `g_enter_project${suffix}`,
    sql: `select project_id, environment${also} from app.enter_project($1)`,
    values: [projectId],
    onRows: ([row]) => {
      if (row?.['environment'] !== 'live') return
      if (liveSides.size >= MOST_LIVE_SIDES) liveSides.clear()
      liveSides.add(projectId)
    },
  }
}
