import { setTimeout as sleep } from 'node:timers/promises'
import { type Area, backgroundOf, catalogueOf } from '../area.ts'
import { onOutboxWrite } from '../db/statement.ts'
import { lookEveryHour } from '../doctor/hourly-look.ts'
import { Relay } from '../events/relay.ts'
import { RelayListener } from '../events/relay-notifications.ts'
import { throttledWarn } from '../telemetry/throttled-warn.ts'
import { type AreaWorkerDeps, forAreas, type WorkerDeps } from '../worker-deps.ts'
import type { Background } from './background.ts'
import { Consumers } from './consumers.ts'
import { JobRunner } from './job-runner.ts'
import { DirectRuns } from './queues/direct-runs.ts'
import type { Lane } from './queues/lanes.ts'
import { Measurements } from './queues/measurements.ts'
import { Queues, type SignalJob } from './queues/queues.ts'
import { jobSweep, Sweeper } from './queues/sweeper.ts'
import { JOBS_CONSUMER, type WorkSignal } from './queues/work-signal.ts'
import { Runs } from './runs.ts'
import { SCHEDULE, Scheduler } from './schedules/scheduler.ts'

/** Of the 30 s that a worker has to stop, the part for releasing its jobs. */
const FINISH_MS = 25_000
/**
 * What connections to the queue get for their farewells. On a Redis Cluster, and with a node of it gone, BullMQ's never
 * end; nothing is lost with them.
 */
const FAREWELL_MS = 500

export interface WorkerOptions {
  readonly deps: WorkerDeps
  readonly areas?: readonly Area[]
  /** Replaces the background work of all areas. */
  readonly background?: Background
  readonly lanes: readonly Lane[]
  /** Milliseconds that runs get to finish when the worker stops. */
  readonly finishMs?: number
}

/** Everything that a worker process does: relays, sweeps, and serves its lanes. */
export interface RunningWorker {
  /** Finishes what runs, or releases it when that takes too long; starts nothing new. */
  stop(): Promise<void>
}

/** Starts working. */
export function startWorker({
  deps,
  areas = [],
  background = backgroundOf(areas),
  lanes,
  finishMs = FINISH_MS,
}: WorkerOptions): RunningWorker {
  const areaDeps = forAreas(deps, catalogueOf(areas))
  const { log, config } = deps
  const stopping = new AbortController()
  const queues = new Queues(config, log)
  const complain = throttledWarn(log, 'workers could not be signaled; the sweep will')
  const sendSignals: SendSignals = (signals, tag) =>
    queues
      .send(signals, (consumer) => (consumer === JOBS_CONSUMER ? 'many' : 'one'), tag)
      .then(signals.length > 0 ? complain.over : undefined, complain)
  const shared = { deps, areaDeps, queues, stopping: stopping.signal }
  const scheduler = new Scheduler({ ...shared, schedules: background.schedules })
  const lanesServed = serveLanes({ ...shared, background, lanes, scheduler, sendSignals })
  const relaying = startRelay(deps, background, lanesServed.begin)
  const sweeps = [jobSweep(config.SWEEP_MS), ...background.sweeps]
  const measurements = new Measurements(deps.metrics.registry, background.measures ?? [], log)
  const sweeper = new Sweeper({ deps, sweeps, measurements, lanes, sendSignals })
  sweeper.start()
  const schedules = { scheduler, deps, sweeps: SWEEPS_PER_CHECK[queues.kind], stop: stopping.signal }
  const ensuring = lanes.includes('schedule') ? keepSchedules(schedules) : undefined

  const looking = lookEveryHour(deps, stopping.signal)

  const stop = async (): Promise<void> => {
    stopping.abort()
    const finished = Promise.all([relaying.stop(), sweeper.stop(), ensuring, looking, lanesServed.finish()])
    await Promise.race([finished, pause(finishMs)])
    await lanesServed.handBack()
    await queues.close()
  }
  return { stop }
}

type SendSignals = (signals: readonly WorkSignal[], tag?: string) => Promise<void>

/** What serving lanes takes. */
interface Serving {
  readonly deps: WorkerDeps
  readonly areaDeps: AreaWorkerDeps
  readonly background: Background
  readonly lanes: readonly Lane[]
  readonly queues: Queues
  readonly scheduler: Scheduler
  readonly stopping: AbortSignal
  readonly sendSignals: SendSignals
}

/** Runs what signals ask for: signals of the queue, and those that can begin in this process at once. */
function serveLanes({ deps, background, lanes, queues, scheduler, sendSignals, ...parts }: Serving) {
  const { areaDeps, stopping } = parts
  const known = new Map(background.jobs.map((job) => [job.name, job]))
  const jobs = new JobRunner({ deps: areaDeps, jobs: known, stopping })
  const { consumers: kinds } = background
  const consumers = new Consumers({ deps: areaDeps, consumers: kinds, stopping, sendSignals })
  const runs = new Runs(deps)
  const handle = async (signal: WorkSignal, job: SignalJob): Promise<void> => {
    const { lane, projectId, key } = signal
    if (job.name === SCHEDULE) return scheduler.run(key)
    if (job.name !== JOBS_CONSUMER) return consumers.run(signal)
    // From here on a signal for this project is a new one: its jobs run side by side.
    await job.removeDeduplicationKey()
    return jobs.runDue(lane, projectId, () => sendSignals([signal]))
  }
  const workers = lanes.map((lane) =>
    queues.serve(lane, (job) => {
      const signal = { lane, consumer: job.name, ...job.data }
      return runs.begin(signal, () => handle(signal, job))
    }),
  )
  const direct = new DirectRuns(lanes, (consumer) => consumers.mayBegin(consumer))
  return {
    /** Runs that can begin here at once skip the queue. */
    begin: async (signals: readonly WorkSignal[]): Promise<void> => {
      const others = signals.filter(
        (signal) => !direct.begin(signal, () => runs.begin(signal, () => consumers.run(signal))),
      )
      if (others.length > 0) await sendSignals(others)
    },
    /** Takes nothing new, and waits for what runs. */
    finish: async (): Promise<void> => {
      const closed = Promise.allSettled(workers.map((worker) => worker.close()))
      // The queue's workers know nothing of runs that were begun without the queue.
      await runs.ended()
      await Promise.race([closed, pause(FAREWELL_MS)])
    },
    /** Gives back what did not end. */
    handBack: async (): Promise<void> => {
      await jobs.handBack()
      // Runs that did not end lose their connections here.
      const disconnected = Promise.allSettled(workers.map((worker) => worker.disconnect()))
      await Promise.race([disconnected, pause(FAREWELL_MS)])
      await consumers.close()
    },
  }
}

/** Relays what transactions have written to the outbox, from now on. */
function startRelay(
  { config, log, metrics, pool, relayPool }: WorkerDeps,
  { fanOuts }: Background,
  sendSignals: (signals: readonly WorkSignal[]) => Promise<void>,
) {
  const listener = new RelayListener(config, () => relay.notify())
  const polling = { idleMs: config.SWEEP_MS, isListening: () => listener.isListening }
  const relay = new Relay({ pool: relayPool, fanOuts, sendSignals, metrics, log, ...polling })
  onOutboxWrite(pool, () => relay.notify())
  relay.start()
  listener.start()
  return { stop: () => Promise.all([listener.close(), relay.stop()]) }
}

const pause = (milliseconds: number) => sleep(milliseconds, undefined, { ref: false })

/** Sweeps for each check of the schedules' times. A Redis may be emptied at any time, and a table is not. */
const SWEEPS_PER_CHECK = { redis: 6, postgres: 120 } as const

interface KeptSchedules {
  readonly scheduler: Scheduler
  readonly deps: WorkerDeps
  /** Between two checks. */
  readonly sweeps: number
  readonly stop: AbortSignal
}

/** Makes sure, every few sweeps, that the queue still knows the times of schedules. */
async function keepSchedules({ scheduler, deps, sweeps, stop }: KeptSchedules): Promise<void> {
  const complain = throttledWarn(deps.log, 'the times of schedules could not be checked')
  let changed = true
  while (!stop.aborted) {
    try {
      await scheduler.ensure({ changed })
      changed = false
      complain.over()
    } catch (error) {
      complain(error)
    }
    await sleep(sweeps * deps.config.SWEEP_MS, undefined, { signal: stop }).catch(() => undefined)
  }
}
