import type { Pool } from 'pg'
import { openOwnerPool } from '#platform/db/owner-pool.ts'
import { ApiError } from '#platform/errors.ts'
import type { ScheduleRun } from '#platform/jobs/schedules/define-schedule.ts'
import { cellsWithEnvironment } from '../move/cell-environments.ts'

/** How often a worker looks for work that needs the login of the owner, and says that it has this login. */
export const EVERY_MS = 15_000
/** After which a worker that said nothing counts as gone. */
const SEEN = '2 minutes'
const LONGEST_ERROR = 500

export type WorkParts = Pick<ScheduleRun, 'housekeeping' | 'deps' | 'log' | 'signal'>

/** Whether a worker with the login of the owner is there, and for which cells it has an environment. */
export async function findOwnerWorker(
  operators: Pick<Pool, 'query'>,
): Promise<{ readonly cells: readonly string[] } | undefined> {
  const { rows } = await operators.query<{ cells: string[] }>(
    `select cells from owner_workers where seen_at > now() - interval '${SEEN}'`,
  )
  return rows[0]
}

/**
 * Works with the login of the owner, which only workers with DATABASE_OWNER_URL have: others do nothing. One worker of the installation
 * at a time does the same kind of work. The lock ends with the connection of a worker that is killed.
 * @param kind of work, which the lock is named by
 */
export async function withOwnerLogin(
  parts: WorkParts,
  kind: string,
  work: (owner: Pool) => Promise<void>,
): Promise<void> {
  const { DATABASE_OWNER_URL: connectionString } = parts.deps.config
  if (connectionString === undefined) return
  await saySeen(parts)
  const owner = openOwnerPool(connectionString, { application_name: `guildhall ${kind}`, max: 2 })
  const saying = setInterval(() => void saySeen(parts).catch(() => undefined), EVERY_MS)
  try {
    const locking = await owner.connect()
    try {
      const { rows } = await locking.query<{ mine: boolean }>(
        'select pg_try_advisory_lock(hashtextextended($1, 0)) as mine',
        [`${kind} of projects`],
      )
      if (rows[0]?.mine === true) await work(owner)
    } finally {
      locking.release(true)
    }
  } finally {
    clearInterval(saying)
    await owner.end()
  }
}

async function saySeen({ housekeeping, deps }: WorkParts): Promise<void> {
  await housekeeping.query(
    `insert into owner_workers (seen_at, cells) values (now(), $1)
     on conflict (only_one) do update set seen_at = excluded.seen_at, cells = excluded.cells`,
    [await cellsWithEnvironment(deps.config)],
  )
}

/** What went wrong, for whoever asked for the work. @param names what the fields of a fault are called there */
export function whyItFailed(error: unknown, names: Readonly<Record<string, string>> = {}): string {
  const text =
    error instanceof ApiError && error.details !== undefined
      ? error.details.map(({ field, message }) => `${names[field] ?? field} ${message}`).join('; ')
      : error instanceof Error
        ? error.message
        : String(error)
  return text.slice(0, LONGEST_ERROR)
}

/** Why work is given up that was begun again and again. */
export const workerEnded = () => new Error('its worker ended each time: see the log of the workers')
