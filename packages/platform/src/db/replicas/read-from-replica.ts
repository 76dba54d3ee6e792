import type { Pool } from 'pg'
import { ApiError } from '../../errors.ts'
import type { ReadMetrics, Trouble } from '../../telemetry/read-metrics.ts'
import type { Reader } from '../cancel.ts'
import { codeOf, isConflict, isOutage, isReadOnly } from '../pg-errors.ts'
import type { Replicas } from './replicas.ts'

/** The servers that a read may go to. */
export interface ReadServers {
  readonly pool: Pool
  readonly reportPool: Pool
  readonly replicas: Replicas
  readonly reads: ReadMetrics
}

/** Which connections of a server are used: those of requests, or those of reports. */
export type Connections = 'pool' | 'reportPool'

/** A read that a replica may answer. */
export interface ReplicaRead<T> {
  /** Called with the pool of a server; called again with the primary's where a replica does not answer. */
  readonly run: (pool: Pool) => Promise<T>
  readonly connections: Connections
  /** Who waits for it. */
  readonly reader?: Reader | undefined
}

/** Reads from a replica: of the same project, by the same row-level security. The primary answers what a replica cannot. */
export async function readFromReplica<T>(
  servers: ReadServers,
  { run, connections, reader }: ReplicaRead<T>,
): Promise<T> {
  const { replicas, reads } = servers
  const primary = servers[connections]
  const replica = replicas.pick()
  if (replica === undefined) {
    reads.onPrimary()
    return run(primary)
  }
  const secondary = replica[connections]
  const begun = performance.now()
  try {
    const result = await run(secondary)
    reads.onReplica(replica)
    return result
  } catch (error) {
    const trouble = troubleOf(error, performance.now() - begun)
    // For a client that has gone, the read was cancelled.
    if (trouble === undefined || reader?.isGone) throw error
    if (trouble === 'outage') replica.reportTrouble(secondary, error)
    reads.onTrouble(replica, trouble)
  }
  return run(primary)
}

/** A statement was ended: by a conflict, by an operator, or because it took too long. */
const CANCELED = '57014'
/** A statement that was ended after this time took too long. It would take as long on the primary. */
const TOO_LONG_MS = 5_000

/**
 * What keeps a replica from answering, and does not keep the primary from it. Undefined for an outcome of the read
 * itself, such as a missing resource.
 * @param error as the transaction threw it
 * @param tookMs how long the read took
 */
function troubleOf(error: unknown, tookMs: number): Trouble | undefined {
  if (error instanceof ApiError) {
    if (error.code !== 'UNAVAILABLE' || error.cause === undefined) return undefined
    return codeOf(error.cause) === CANCELED ? ofCanceled(tookMs) : 'outage'
  }
  const code = codeOf(error)
  // A read that would write is refused everywhere.
  if (isReadOnly(error)) return undefined
  // Replaying the primary's changes removed what it still read.
  if (isConflict(error)) return 'conflict'
  if (code === CANCELED) return ofCanceled(tookMs)
  return isOutage(error) ? 'outage' : undefined
}

const ofCanceled = (tookMs: number): Trouble | undefined => (tookMs < TOO_LONG_MS ? 'conflict' : undefined)
