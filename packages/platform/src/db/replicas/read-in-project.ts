import type { Pool } from 'pg'
import type { Actor } from '../../actor.ts'
import type { Reader } from '../cancel.ts'
import { type Context, inProject, inProjectOnce } from '../tenant.ts'
import type { ReadMetrics } from './read-metrics.ts'
import { troubleOf } from './replica-trouble.ts'
import type { Replicas } from './replicas.ts'

/** The servers that a read may go to. */
export interface ReadServers {
  readonly pool: Pool
  readonly replicas: Replicas
  readonly reads: ReadMetrics
}

/** Who reads what. */
export interface Read<T> {
  readonly projectId: string
  readonly actor: Actor
  readonly work: (ctx: Context) => PromiseLike<T>
  /** A moment of this process's clock: every commit before it must be shown. */
  readonly since: number
  /** Who waits for it. */
  readonly reader?: Reader | undefined
}

/**
 * `inProject` for work that only reads and may be answered by a replica: of the same project, by the same row-level
 * security. What a replica does not answer is answered by the primary; `work` is then called again.
 */
export async function readInProject<T>(
  { pool, replicas, reads }: ReadServers,
  { projectId, actor, work, since, reader }: Read<T>,
): Promise<T> {
  const replica = replicas.pick(since)
  if (replica === undefined) {
    reads.onPrimary()
    return inProject(pool, projectId, actor, work, reader)
  }
  const begun = performance.now()
  try {
    const result = await inProjectOnce(replica.pool, projectId, actor, work, reader)
    reads.onReplica(replica)
    return result
  } catch (error) {
    const trouble = troubleOf(error, performance.now() - begun)
    // For a client that has gone, the read was cancelled.
    if (trouble === undefined || reader?.isGone) throw error
    if (trouble === 'outage') replica.reportTrouble(replica.pool, error)
    reads.onTrouble(replica, trouble, error)
  }
  return inProject(pool, projectId, actor, work, reader)
}
