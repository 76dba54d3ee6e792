import pg from 'pg'

/** Connections lost or refused, conflicts, resources, operators: the database's own trouble, not the statement's. */
const OUTAGES = new Set(['08', '40', '53', '55', '57', '58'])

/** Whether a statement failed for a reason that passes, so that it is worth repeating. */
export function isOutage(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return OUTAGES.has(error.code?.slice(0, 2) ?? '')
  // pg reports lost connections as plain errors; code that is wrong throws more special ones.
  return error instanceof Error && !(error instanceof TypeError || error instanceof RangeError)
}
