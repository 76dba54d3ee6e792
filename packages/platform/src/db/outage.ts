import pg from 'pg'

/**
 * Lost or refused connections, conflicts, missing resources, shutdowns: trouble of the database, not of the statement.
 */
const OUTAGES = new Set(['08', '40', '53', '55', '57', '58'])

/** Whether a statement failed for a temporary reason, so that it can be repeated. */
export function isOutage(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return OUTAGES.has(error.code?.slice(0, 2) ?? '')
  // pg reports lost connections as plain errors; faulty code throws more special ones.
  return error instanceof Error && !(error instanceof TypeError || error instanceof RangeError)
}
