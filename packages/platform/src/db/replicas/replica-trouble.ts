import { ApiError } from '../../errors.ts'
import { isOutage, isReadOnly } from '../outage.ts'

/** Replaying the primary's changes ended the statement, because they removed what it still read. */
const CONFLICTS = new Set(['40001', '40P01'])
/** A statement was ended: by a conflict, by an operator, or because it took too long. */
const CANCELED = '57014'
/** A statement that was ended after this time took too long. It would take as long on the primary. */
const TOO_LONG_MS = 5_000

/** Why a read that a replica did not answer goes to the primary. */
export type Trouble = 'conflict' | 'outage'

/**
 * What keeps a replica from answering, and does not keep the primary from it. Undefined for an outcome of the read
 * itself, such as a missing resource.
 * @param error as the transaction threw it
 * @param tookMs how long the read took
 */
export function troubleOf(error: unknown, tookMs: number): Trouble | undefined {
  if (error instanceof ApiError) {
    if (error.code !== 'UNAVAILABLE' || error.cause === undefined) return undefined
    return codeOf(error.cause) === CANCELED ? ofCanceled(tookMs) : 'outage'
  }
  const code = codeOf(error)
  // A read that would write is refused everywhere.
  if (isReadOnly(error)) return undefined
  if (code !== undefined && CONFLICTS.has(code)) return 'conflict'
  if (code === CANCELED) return ofCanceled(tookMs)
  return isOutage(error) ? 'outage' : undefined
}

const ofCanceled = (tookMs: number): Trouble | undefined => (tookMs < TOO_LONG_MS ? 'conflict' : undefined)

const codeOf = (error: unknown): string | undefined => (error as { code?: string } | undefined)?.code
