import type { Pool } from 'pg'
import type { Reader } from '../cancel.ts'
import type { ReadMetrics } from './read-metrics.ts'
import { troubleOf } from './replica-trouble.ts'
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

/** Reads from a replica: of the same project, by the same row-level security. What it does not answer, the primary does. */
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
