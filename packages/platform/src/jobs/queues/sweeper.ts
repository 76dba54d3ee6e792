import { setTimeout as sleep } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import { isResting } from '../../db/resting.ts'
import { throttledWarn } from '../../telemetry/throttled-warn.ts'
import type { WorkerDeps } from '../../worker-deps.ts'
import type { Lane } from './lanes.ts'
import type { Measurements } from './measurements.ts'
import { defineSweep, JOBS_CONSUMER, type Sweep, type WorkSignal } from './work-signal.ts'

/** The most signals of one sweep; the next sweep finds the rest. */
const LIMIT = 5_000
/** Milliseconds before the next attempt when the database is unreachable. */
const FAULT_MS = 1_000

/**
 * Projects and lanes with jobs that are due, or will be before the next sweep. Hops from pair to pair along the index,
 * so that a million due jobs of one project cost no more than one.
 */
const DUE_JOBS = `
  with recursive pair as (
    (select lane, project_id, due_at from jobs where due_at is not null order by lane, project_id, due_at limit 1)
    union all
    select following.* from pair, lateral (
      select lane, project_id, due_at from jobs
      where due_at is not null and (lane, project_id) > (pair.lane, pair.project_id)
      order by lane, project_id, due_at limit 1
    ) as following
  )
  select lane, project_id, (extract(epoch from due_at - now()) * 1000)::float8 as wait
  from pair where due_at <= now() + $1 * interval '1 millisecond' and not ${isResting('pair.project_id')} order by due_at limit $2`

/** @param sweepMs how far to look ahead: until the next sweep */
export const jobSweep = (sweepMs: number): Sweep =>
  defineSweep({
    name: JOBS_CONSUMER,
    find: async (client, limit) => {
      const { rows } = await client.query<{ lane: Lane; project_id: string; wait: number }>({
        name: 'sweep_jobs',
        text: DUE_JOBS,
        values: [sweepMs, limit],
      })
      return rows.map(({ lane, project_id: projectId, wait }) => ({
        lane,
        consumer: JOBS_CONSUMER,
        projectId,
        key: projectId,
        delay: wait,
      }))
    },
  })

const OUTBOX_AGE = `select extract(epoch from clock_timestamp() - created_at)::float8 as seconds
  from outbox order by id limit 1`

interface Parts {
  readonly deps: WorkerDeps
  readonly sweeps: readonly Sweep[]
  readonly measurements: Measurements
  readonly lanes: readonly Lane[]
  readonly sendSignals: (signals: readonly WorkSignal[], tag: string) => Promise<void>
}

/** Finds due work every few seconds and signals its consumers. This is the only recovery mechanism. */
export class Sweeper {
  readonly #parts: Parts
  readonly #stop = new AbortController()
  #running: Promise<void> | undefined

  constructor(parts: Parts) {
    this.#parts = parts
  }

  start(): void {
    this.#running ??= this.#loop()
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  async #loop(): Promise<void> {
    const { config, log } = this.#parts.deps
    const { signal } = this.#stop
    const complain = throttledWarn(log, 'the sweep did not come through')
    while (!signal.aborted) {
      // A random delay, so that workers that started together do not sweep together.
      let pause = config.SWEEP_MS * (0.8 + 0.2 * Math.random())
      try {
        await this.#sweep()
        complain.over()
      } catch (error) {
        complain(error)
        pause = Math.min(pause, FAULT_MS)
      }
      await sleep(pause, undefined, { signal }).catch(() => undefined)
    }
  }

  async #sweep(): Promise<void> {
    const { deps, sweeps, sendSignals, measurements } = this.#parts
    const signals: WorkSignal[] = []
    const client = await deps.relayPool.connect()
    let fault: Error | undefined
    try {
      for (const sweep of sweeps) signals.push(...(await sweep.find(client, LIMIT)))
      await this.#measure(client, signals)
    } catch (error) {
      fault = error as Error
      throw error
    } finally {
      client.release(fault)
    }
    // Its id has the time: a signal whose worker was killed must not suppress later ones.
    await sendSignals(signals, `-${Math.floor(Date.now() / deps.config.LEASE_MS)}`)
    await measurements.measure(deps.relayPool)
  }

  async #measure(client: PoolClient, signals: readonly WorkSignal[]): Promise<void> {
    const { deps, lanes } = this.#parts
    const { rows } = await client.query<{ seconds: number }>(OUTBOX_AGE)
    deps.metrics.outboxAge.set(Math.max(0, rows[0]?.seconds ?? 0))
    for (const lane of lanes) {
      const late = signals
        .filter((signal) => signal.lane === lane)
        .map((signal) => -(signal.delay ?? 0) / 1_000)
      deps.metrics.oldestDue.set(
        { lane },
        late.reduce((oldest, each) => Math.max(oldest, each), 0),
      )
    }
    deps.metrics.measuredAt.setToCurrentTime()
  }
}
