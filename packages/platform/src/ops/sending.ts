import type { Pool } from 'pg'

/** Whether this installation sends, and what waits while it does not. */
export interface Sending {
  readonly state: 'sending' | 'held'
  /** ISO 8601; null while it sends. */
  readonly held_since: string | null
  readonly held_because: string | null
  /** Jobs that are due; mails are among them. */
  readonly jobs: number
}

type Asks = Pick<Pool, 'query'>

/**
 * Holds everything that this installation does by itself: jobs with their mails, webhooks, schedules, renewals and payments. What
 * runs at this moment is finished. Holding one that is held keeps the first time and reason.
 * @param operators logs in as guildhall_operator
 */
export async function holdSending(operators: Asks, because: string): Promise<Sending> {
  await operators.query(
    'update installation set held_since = now(), held_because = $1 where held_since is null',
    [because],
  )
  return readSending(operators)
}

/**
 * Has an installation send again; workers begin within `SWEEP_MS`.
 * @param operators logs in as guildhall_operator
 */
export async function resumeSending(operators: Asks): Promise<Sending> {
  await operators.query('update installation set held_since = null, held_because = null')
  return readSending(operators)
}

/** @param operators logs in as guildhall_operator */
export async function readSending(operators: Asks): Promise<Sending> {
  const { rows } = await operators.query<{
    held_since: Date | string | null
    held_because: string | null
    jobs: number
  }>(
    `select (select held_since from installation), (select held_because from installation),
       (select count(*) from jobs where due_at <= now())::int as jobs`,
  )
  const { held_since = null, held_because = null, jobs = 0 } = rows[0] ?? {}
  return {
    state: held_since === null ? 'sending' : 'held',
    held_since: held_since === null ? null : new Date(held_since).toISOString(),
    held_because,
    jobs,
  }
}
