import pg from 'pg'
import { limitReached } from '../define-error.ts'
import { ApiError, invalidBody } from '../errors.ts'

/** What a violated constraint means to the client, by its name; a missing value by `table.column`. */
export type Constraints = Readonly<Record<string, (cause: unknown) => ApiError>>

/** Data that the schema lets through but PostgreSQL refuses (SQLSTATE class 22): too long, out of range, malformed. */
const isDataException = (code: string) => code.startsWith('22')

/**
 * The database did not answer, or the connection was lost: refused, shutting down, too many clients, timeout, a lock that
 * somebody else keeps. With 08P01 PgBouncer says that it has lost its server, or gets none. A login is refused (28…), and a database
 * is not there (3D000), while an installation is set up wrong, or restored.
 */
const UNAVAILABLE = new Set(
  '08000 08003 08006 08P01 28000 28P01 3D000 57P01 57P02 57P03 53300 57014 25P03 55P03'.split(' '),
)

/**
 * Converts a database error to the error that a client may see; errors that mean a bug pass unchanged and become a 500.
 * @param statements those of the failed batch; their constraints decide
 */
export function translate(
  error: unknown,
  statements: readonly { readonly constraints: Constraints }[],
): unknown {
  if (error instanceof ApiError) return error
  if (!(error instanceof pg.DatabaseError)) return isConnectionError(error) ? unavailable(error) : error
  const names = [error.constraint, `${error.table}.${error.column}`]
  for (const { constraints } of statements) {
    for (const name of names) {
      const meaning = name === undefined ? undefined : constraints[name]
      if (meaning) return meaning(error)
    }
  }
  const code = error.code ?? ''
  if (code === LIMIT_REACHED) return noMore(error)
  if (code === MOVING) return projectMoving(error)
  if (METADATA.has(error.constraint ?? '')) return metadataTooLarge(error)
  if (isDataException(code)) return invalidBody([], error)
  return UNAVAILABLE.has(code) ? unavailable(error) : error
}

/** What `app.limited_table` raises. */
const LIMIT_REACHED = 'GH001'

/** What `app.fence_moving` raises. */
const MOVING = 'GH002'

/** 503, for the seconds in which a project moves to another installation. */
export const projectMoving = (cause?: unknown) =>
  new ApiError(503, 'PROJECT_MOVING', 'This project is being moved: try again in a few seconds', {
    cause,
    headers: { 'retry-after': '2' },
  })

function noMore(cause: pg.DatabaseError): ApiError {
  const { limit, what } = JSON.parse(cause.detail ?? '{}') as { limit: number; what: string }
  return limitReached(cause, {
    message: `There can be at most ${limit} ${what}: remove one first`,
    limit,
    what,
  })
}

/** Constraints of the domain app.metadata, which a merge in any area can violate. */
const METADATA = new Set(['metadata_is_object', 'metadata_key_count', 'metadata_size'])

const metadataTooLarge = (cause: unknown) =>
  invalidBody(
    [{ field: 'metadata', rule: 'size', message: 'must have at most 50 keys and 16 KiB after the change' }],
    cause,
  )

/** 503. */
export const unavailable = (cause: unknown) =>
  new ApiError(503, 'UNAVAILABLE', 'The database cannot be reached now: try again', {
    cause,
    headers: { 'retry-after': '1' },
  })

/** Lost or refused connections and logins, conflicts, missing resources, shutdowns: trouble of the database, not of the statement. */
const OUTAGES = new Set(['08', '28', '3D', '40', '53', '55', '57', '58'])

/** What a standby says to a write: it is not promoted yet, or the address still leads to a server that was the primary. */
const READ_ONLY = '25006'

/** The SQLSTATE of an error, if it has one. */
export const codeOf = (error: unknown): string | undefined => (error as { code?: string } | undefined)?.code

/** Whether PostgreSQL ended a transaction because of others: a deadlock, a serialization failure, a conflict on a standby. */
export const isConflict = (error: unknown): boolean => ['40001', '40P01'].includes(codeOf(error) ?? '')

/** Whether a statement that writes came to a server that takes no writes. */
export const isReadOnly = (error: unknown): boolean => codeOf(error) === READ_ONLY

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
    return isReadOnly(error) || error.code === MOVING || OUTAGES.has(error.code?.slice(0, 2) ?? '')
  return isConnectionError(error)
}

/** pg reports a lost connection, and a pool without a free one, as plain errors; faulty code throws more special ones. */
export const isConnectionError = (error: unknown): boolean =>
  error instanceof Error && !(error instanceof TypeError || error instanceof RangeError)
