import pg from 'pg'

/**
 * Lost or refused connections, conflicts, missing resources, shutdowns: trouble of the database, not of the statement.
 */
const OUTAGES = new Set(['08', '40', '53', '55', '57', '58'])

/** What a standby says to a write: it is not promoted yet, or the address still leads to a server that was the primary. */
const READ_ONLY = '25006'

/** Whether a statement that writes came to a server that takes no writes. */
export const isReadOnly = (error: unknown): boolean =>
  (error as { code?: unknown } | undefined)?.code === READ_ONLY

/**
 * Whether a connection was ended by PostgreSQL (57P…), or by PgBouncer that has lost its server (08…). What was sent may have
 * been committed.
 */
export const isLost = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && /^(57P|08)/.test(error.code ?? '')

/** Whether PostgreSQL reported that nothing was done, over a connection that can be used again. */
export const isRefused = (error: unknown): boolean => error instanceof pg.DatabaseError && !isLost(error)

/** Whether a statement failed for a temporary reason, so that it can be repeated. */
export function isOutage(error: unknown): boolean {
  if (error instanceof pg.DatabaseError)
    return isReadOnly(error) || OUTAGES.has(error.code?.slice(0, 2) ?? '')
  return isConnectionError(error)
}

/** pg reports a lost connection, and a pool without a free one, as plain errors; faulty code throws more special ones. */
export const isConnectionError = (error: unknown): boolean =>
  error instanceof Error && !(error instanceof TypeError || error instanceof RangeError)
