import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type IQueueBackend, type Job, type JobProgress, Queue, Worker } from 'bullmq'
import type { Config } from '../../config.ts'
import { explainRedis } from '../../redis/explain-redis.ts'
import type { Log } from '../../telemetry/log.ts'
import { type ThrottledWarn, throttledWarn } from '../../telemetry/throttled-warn.ts'
import { LANES, type Lane, SLOTS } from './lanes.ts'
import { openQueueBackend, type QueueBackend } from './queue-backend.ts'
import type { WorkSignal } from './work-signal.ts'

/** What a signal says, as BullMQ keeps it. */
export interface SignalData {
  readonly projectId: string
  readonly key: string
}

export type SignalJob = Job<SignalData, void>
type LaneQueue = Queue<SignalData, void, string, SignalData, void, string, IQueueBackend, object>
type LaneWorker = Worker<SignalData, void, string, IQueueBackend, JobProgress, object>

/** Failed signals that are kept for operators. The sweep finds the work of these signals anyway. */
const KEEP_FAILED = 100

/** A worker holds a signal for this long, and renews it in time. */
const LOCK_MS = 15_000
/** BullMQ repeats a crashed worker's signal after at most two of these. Nothing depends on it; the sweep is faster. */
const STALLED_MS = 60_000

/** How long a signal waits at most for a Redis that was never there since the start. The sweep signals later. */
const CONNECT_MS = 1_000

/** What connections get for their farewells. */
const FAREWELL_MS = 500

/** Seconds after which an idle lane asks by itself. A command that blocks on Redis is kept shorter than proxies allow. */
const DRAIN_SECONDS = { redis: 60, postgres: 600 } as const

/** How signals for one key run: `one`: one after the other; `many`: at the same time. */
export type Meeting = 'one' | 'many'

/**
 * The lanes as BullMQ queues. It carries signals and nothing else, so that losing all of it costs time only.
 */
export class Queues {
  readonly kind: QueueBackend['kind']
  readonly #backend: QueueBackend
  readonly #queues: ReadonlyMap<Lane, LaneQueue>
  readonly #warn: ThrottledWarn
  readonly #onError: (error: Error) => void
  /** Those that have been connected; from then on their commands fail by themselves. */
  readonly #isConnected = new WeakSet<LaneQueue>()

  constructor(config: Config, log: Log) {
    this.#warn = throttledWarn(log, 'the queue is away; what is due waits for it')
    this.#onError = (error) => this.#warn(explainRedis(error))
    this.#backend = openQueueBackend(config, { onError: this.#onError, onConnect: this.#warn.over })
    this.kind = this.#backend.kind
    const defaultJobOptions = { removeOnComplete: true, removeOnFail: { count: KEEP_FAILED } }
    this.#queues = new Map(
      LANES.map((lane) => {
        const options = { connection: {}, prefix: this.#backend.prefixOf(lane), defaultJobOptions }
        const queue: LaneQueue = new Queue(lane, options, this.#backend.producer)
        return [lane, queue.on('error', this.#onError)]
      }),
    )
  }

  /** The queue of a lane, for schedules and for the operators' page. */
  of(lane: Lane): LaneQueue {
    const queue = this.#queues.get(lane)
    if (queue === undefined) throw new Error(`there is no lane ${lane}`)
    return queue
  }

  /**
   * Signals, once per consumer and key however often it is asked for: a signal that waits is worth any number of them.
   * @param meeting of a consumer's signals for one key
   * @param tag sets these signals apart from others for the same key, so that they cannot be held up by them
   */
  async send(
    signals: readonly WorkSignal[],
    meeting: (consumer: string) => Meeting,
    tag = '',
  ): Promise<void> {
    const byLane = Map.groupBy(signals, (signal) => signal.lane)
    await Promise.all(
      [...byLane].map(async ([lane, some]) => {
        const queue = this.of(lane)
        await this.#connected(queue)
        const byId = new Map(
          some.map((signal) => [`${signal.consumer}-${signal.key}${suffix(signal, tag)}`, signal]),
        )
        await queue.addBulk(
          [...byId].map(([id, { consumer, projectId, key, delay = 0 }]) => ({
            name: consumer,
            data: { projectId, key },
            opts: {
              // An id of ours: for its own, BullMQ would make a sequence per lane at run time, which its role may not.
              jobId: randomUUID(),
              // In whole milliseconds: a fraction fails the whole batch in PostgreSQL.
              delay: Math.max(0, Math.ceil(delay)),
              deduplication: { id, keepLastIfActive: meeting(consumer) === 'one' },
            },
          })),
        )
      }),
    )
    if (signals.length > 0) this.#warn.over()
  }

  /**
   * BullMQ waits for its first connection to Redis for ever, and so would relays and sweeps, which signal.
   * @throws Error where there is none in time
   */
  async #connected(queue: LaneQueue): Promise<void> {
    if (this.kind === 'postgres' || this.#isConnected.has(queue)) return
    const isThere = queue.waitUntilReady().then(() => true)
    if (!(await Promise.race([isThere, sleep(CONNECT_MS, false, { ref: false })])))
      throw new Error('Redis has not been there since the start')
    this.#isConnected.add(queue)
  }

  /** Serves a lane: `handle` gets every signal of it, as many at the same time as the lane has slots. */
  serve(lane: Lane, handle: (job: SignalJob) => Promise<void>): LaneWorker {
    const options = {
      connection: {},
      prefix: this.#backend.prefixOf(lane),
      concurrency: SLOTS[lane],
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_MS,
      // PostgreSQL notifies of each signal and Redis ends a blocking read, so that an idle lane need not ask.
      drainDelay: DRAIN_SECONDS[this.kind],
      // An interrupted signal is always repeated.
      maxStalledCount: 1_000_000,
      // This happens after a failure of the queue's server.
      runRetryDelay: 1_000,
    }
    const worker: LaneWorker = new Worker(lane, handle, options, this.#backend.consumer)
    return worker.on('error', this.#onError)
  }

  async close(): Promise<void> {
    const closed = Promise.allSettled([...this.#queues.values()].map((queue) => queue.close()))
    // A cluster with a node gone does not answer farewells.
    await Promise.race([closed, sleep(FAREWELL_MS, undefined, { ref: false })])
    await this.#backend.close()
  }
}

/** A later signal has an id of its own, so that it does not suppress a signal for now. */
const suffix = (signal: WorkSignal, tag: string) => `${tag}${(signal.delay ?? 0) > 0 ? '-later' : ''}`
