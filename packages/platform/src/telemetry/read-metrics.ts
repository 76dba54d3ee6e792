import { Counter, Gauge, type Registry } from 'prom-client'
import type { Replica } from '../db/replicas/replica.ts'
import type { Replicas } from '../db/replicas/replicas.ts'

/** Why a read that a replica did not answer goes to the primary. */
export type Trouble = 'conflict' | 'outage'

/** Counts which server answers what a replica may answer. */
export interface ReadMetrics {
  onPrimary(): void
  onReplica(replica: Replica): void
  /** A replica did not answer, and the primary does. */
  onTrouble(replica: Replica, trouble: Trouble): void
}

/** Metrics of replicas for Prometheus; nothing where there are none. */
export function makeReadMetrics(registry: Registry, replicas: Replicas): ReadMetrics {
  if (replicas.all.length === 0)
    return { onPrimary: () => undefined, onReplica: () => undefined, onTrouble: () => undefined }
  const registers = [registry]
  const answered = new Counter({
    name: 'guildhall_reads_total',
    help: 'Lists, reports and exports that a replica may answer, by the server that answered',
    labelNames: ['server'] as const,
    registers,
  })
  const troubles = new Counter({
    name: 'guildhall_replica_troubles_total',
    help: 'Reads that a replica did not answer, so that the primary did: conflict, outage',
    labelNames: ['server', 'trouble'] as const,
    registers,
  })
  const gauge = (name: string, help: string, of: (replica: Replica) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['server'] as const,
      registers,
      collect() {
        for (const replica of replicas.all) this.set({ server: nameOf(replica) }, of(replica))
      },
    })
  gauge('guildhall_replica_used', '1 while a replica is read, 0 while it is left out', (replica) =>
    replica.problem === undefined ? 1 : 0,
  )
  gauge('guildhall_replica_lag_seconds', 'Time that a replica is behind the primary', lagSeconds)
  gauge('guildhall_replica_lag_bytes', 'Bytes that a replica has not replayed', ({ lagBytes }) => lagBytes)
  return {
    onPrimary: () => answered.inc({ server: 'primary' }),
    onReplica: (replica) => answered.inc({ server: nameOf(replica) }),
    onTrouble: (replica, trouble) => {
      answered.inc({ server: 'primary' })
      troubles.inc({ server: nameOf(replica), trouble })
    },
  }
}

const nameOf = ({ number }: Replica): string => `replica_${number}`

/** Seconds; infinite while nothing is known. */
export const lagSeconds = ({ lagMs }: Replica): number => Math.round(lagMs) / 1_000
