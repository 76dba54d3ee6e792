import { setTimeout as sleep } from 'node:timers/promises'
import { Gauge, type Registry } from 'prom-client'
import type { WorkerDeps } from '../worker-deps.ts'
import { readCertificate } from './certificate.ts'
import { clockOffset } from './clock.ts'
import { reasonOf } from './finding.ts'
import { examineStorage } from './services.ts'

const HOUR_MS = 3_600_000
/** Workers that started together do not look together, and a start is not made slower. */
const FIRST_MS = { least: 60_000, more: 240_000 }

/** What a look has found, for /metrics. */
export interface LookMetrics {
  /** Seconds by which the clock of PostgreSQL is ahead of the one of this machine. */
  readonly clockOffset: Gauge
  /** When the certificate of BASE_URL ends, in seconds since 1970. */
  readonly certificateEnd: Gauge
  /** When a look came through the last time, in seconds since 1970. */
  readonly succeeded: Gauge<'look'>
}

/** Makes the gauges. They have no value before the first look. */
export function makeLookMetrics(registry: Registry): LookMetrics {
  const registers = [registry]
  const gauge = (name: string, help: string) => {
    const made = new Gauge({ name, help, registers })
    made.remove()
    return made
  }
  return {
    clockOffset: gauge(
      'guildhall_clock_offset_seconds',
      'By how much the clock of PostgreSQL is ahead of the one of this machine, looked at once an hour',
    ),
    certificateEnd: gauge(
      'guildhall_certificate_expires_timestamp_seconds',
      'When the certificate of BASE_URL ends, looked at once an hour',
    ),
    succeeded: new Gauge({
      name: 'guildhall_look_succeeded_timestamp_seconds',
      help: 'When the hourly look at the clock, the storage (write, read, remove) or the certificate came through the last time',
      labelNames: ['look'] as const,
      registers,
    }),
  }
}

/** What a look is given. */
export type LookDeps = Pick<WorkerDeps, 'config' | 'log' | 'housekeeping' | 'objects'>

/**
 * Looks at what ends or breaks without a request that shows it: the clock of this machine, a bucket that can no longer be written, and
 * the certificate of BASE_URL. What fails is logged, and its time of success stays what it was.
 */
export async function look(deps: LookDeps, metrics: LookMetrics): Promise<void> {
  const { config, log, housekeeping, objects } = deps
  const succeed = (name: string) => metrics.succeeded.set({ look: name }, Date.now() / 1_000)
  const attempt = async (name: string, work: () => Promise<void>) => {
    try {
      await work()
      succeed(name)
    } catch (error) {
      log.warn({ look: name, reason: reasonOf(error) }, `the hourly look at the ${name} did not come through`)
    }
  }
  // Each process sets its own: a gauge of clocks that is an hour old is of another machine's state.
  metrics.clockOffset.remove()
  await attempt('clock', async () => metrics.clockOffset.set(await clockOffset(housekeeping)))
  if (objects.isSetUp)
    await attempt('storage', async () => {
      const fault = (await examineStorage(config)).find(({ state }) => state === 'fault')
      if (fault !== undefined) throw new Error(fault.found)
    })
  if (config.BASE_URL.startsWith('https:'))
    await attempt('certificate', async () => {
      const { expires, refusal } = await readCertificate(config.BASE_URL)
      metrics.certificateEnd.set(expires.getTime() / 1_000)
      if (refusal !== undefined) throw new Error(refusal)
    })
}

/** Looks once an hour, until the worker stops. */
export async function lookEveryHour(deps: WorkerDeps, stop: AbortSignal): Promise<void> {
  const metrics = makeLookMetrics(deps.metrics.registry)
  let wait = FIRST_MS.least + FIRST_MS.more * Math.random()
  for (;;) {
    await sleep(wait, undefined, { signal: stop, ref: false }).catch(() => undefined)
    if (stop.aborted) return
    await look(deps, metrics)
    wait = HOUR_MS
  }
}
