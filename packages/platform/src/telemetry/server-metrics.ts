import { setTimeout as sleep } from 'node:timers/promises'
import { Gauge, type Registry } from 'prom-client'

/** What a pool of connections says of itself. */
interface MeasuredPool {
  readonly totalCount: number
  readonly idleCount: number
  readonly waitingCount: number
  readonly options: { readonly max: number }
}

/** Connections to PostgreSQL of each pool, and who waits for one. */
export function collectPools(registry: Registry, pools: Readonly<Record<string, MeasuredPool>>): void {
  const gauge = (name: string, help: string, of: (pool: MeasuredPool) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['pool'] as const,
      registers: [registry],
      collect() {
        for (const [name, pool] of Object.entries(pools)) this.set({ pool: name }, of(pool))
      },
    })
  gauge('guildhall_pool_busy', 'Connections in use', (pool) => pool.totalCount - pool.idleCount)
  gauge('guildhall_pool_size', 'The most connections of this pool', (pool) => pool.options.max)
  gauge('guildhall_pool_waiting', 'Callers that wait for a connection', (pool) => pool.waitingCount)
}

/** What a process uses beside PostgreSQL. */
export interface UsedServer {
  /** Whether it answered last time; undefined until it was asked. */
  readonly isUp: boolean | undefined
  /** Asks it now, where a process that rests would not notice that it has gone. Never rejects. */
  readonly look?: () => Promise<void>
}

/** Milliseconds: less than Prometheus waits for the metrics. */
const LOOK_MS = 3_000

/** A server that is asked whenever the metrics are read. */
export function askedServer(ask: () => Promise<unknown>): UsedServer {
  let isUp: boolean | undefined
  return {
    get isUp() {
      return isUp
    },
    look: async () => {
      const late = sleep(LOOK_MS, false, { ref: false })
      isUp = await Promise.race([ask().then(() => true), late]).catch(() => false)
    },
  }
}

/** Whether each server answered this process last time. A server that was not asked yet has no value. */
export function collectServers(registry: Registry, servers: Readonly<Record<string, UsedServer>>): void {
  new Gauge({
    name: 'guildhall_server_up',
    help: '1 if the server answered this process last time, 0 if it did not',
    labelNames: ['server'] as const,
    registers: [registry],
    async collect() {
      await Promise.all(Object.values(servers).map((each) => each.look?.()))
      for (const [server, { isUp }] of Object.entries(servers))
        if (isUp !== undefined) this.set({ server }, Number(isUp))
    },
  })
}
