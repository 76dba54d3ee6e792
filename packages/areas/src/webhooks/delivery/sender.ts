import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { makeSendMail, type SendMail } from '#areas/mail/service.ts'
import { isOutage } from '#platform/db/pg-errors.ts'
import { openPool } from '#platform/db/pool.ts'
import type { Lane } from '#platform/jobs/queues/lanes.ts'
import type { ConsumerRun, RunningConsumer } from '#platform/jobs/queues/work-signal.ts'
import { SafeFetch } from '#platform/outbound/safe-fetch.ts'
import { makeProjectBox } from '#platform/secrets/project-box.ts'
import { type ThrottledWarn, throttledWarn } from '#platform/telemetry/throttled-warn.ts'
import { Batcher, eachInOrder } from '#platform/threads/batcher.ts'
import { FairSemaphore } from '#platform/threads/fair-semaphore.ts'
import type { AreaWorkerDeps } from '#platform/worker-deps.ts'
import { OpenedEndpoints } from '../attempts/opened-endpoint.ts'
import { SEALED_FOR } from '../schema.ts'
import { type Claim, type ClaimRequest, claim, RENEWALS_PER_LEASE } from './claim.ts'
import { EndpointRun } from './endpoint-run.ts'
import { LatencyTracker, type SendLane } from './latency-tracker.ts'
import { type DeliveryMetrics, makeDeliveryMetrics } from './metrics.ts'
import {
  type AttemptResult,
  type LeasedDelivery,
  moveToLane,
  type Recorded,
  record,
  release,
  renew,
} from './record.ts'
import type { SendTools } from './send-tools.ts'

/** Sends in flight of one lane in one process. */
const LANE_SENDS = 100
/** Of these, what one project can have: its endpoints that do not answer do not hold up others. */
const PROJECT_SENDS = 20
/** One for claims, one for what came of them, and two for what is rarer. */
const POOL_SIZE = 4
/** Endpoints of one claim and attempts of one record, at the most. */
const CLAIM_BATCH = 50
const RECORD_BATCH = 200
/** Milliseconds between two attempts to record results while the database is unreachable. */
const RECORD_PAUSE_MS = 250

/** Waiting deliveries stay in the database until they are sent, so nobody is refused. */
const makeSlots = () =>
  new FairSemaphore({
    ...{ slots: LANE_SENDS, perProject: PROJECT_SENDS, waiting: Number.POSITIVE_INFINITY },
    busy: 'Too many events are being sent now',
  })

/**
 * Sends in one process; the runs of all endpoints share it. Claims and records of many endpoints are batched, so that a
 * thousand endpoints with one delivery each cost little more than one endpoint with a thousand.
 */
export class Sender implements RunningConsumer, SendTools {
  readonly fetcher: SafeFetch
  readonly opened: OpenedEndpoints
  readonly latencies = new LatencyTracker()
  readonly metrics: DeliveryMetrics
  readonly sendMail: SendMail
  readonly #pool: Pool
  readonly #leaseMs: number
  readonly #log: AreaWorkerDeps['log']
  readonly #complain: ThrottledWarn
  readonly #unrenewed: ThrottledWarn
  readonly #claims: Batcher<ClaimRequest, Claim>
  readonly #records: Batcher<AttemptResult, Recorded>
  readonly #slots = new Map<Lane, FairSemaphore>()
  /** Endpoints with a run in this process. */
  readonly #turns = new Map<string, EndpointRun>()
  /** Deliveries that this process holds, with the time since when. */
  readonly #leased = new Map<string, LeasedDelivery & { since: number }>()
  readonly #renewal: NodeJS.Timeout
  #closed = false

  constructor({ config, log, metrics }: AreaWorkerDeps) {
    const onError = throttledWarn(log, 'idle database connections broke')
    this.fetcher = new SafeFetch(config)
    this.opened = new OpenedEndpoints(makeProjectBox(config, SEALED_FOR))
    this.metrics = makeDeliveryMetrics(metrics)
    this.sendMail = makeSendMail(config)
    this.#pool = openPool(config, { role: 'webhooks', size: POOL_SIZE, onError })
    this.#leaseMs = config.LEASE_MS
    this.#log = log
    this.#complain = throttledWarn(log, 'attempts could not be recorded yet')
    this.#claims = new Batcher({
      begins: 'at once',
      largest: CLAIM_BATCH,
      concurrency: 1,
      work: eachInOrder((requests) => claim(this.#pool, requests, this.#leaseMs)),
    })
    this.#records = new Batcher({
      begins: 'at once',
      largest: RECORD_BATCH,
      concurrency: 1,
      work: eachInOrder((results) => this.#recordAll(results)),
    })
    this.#unrenewed = throttledWarn(log, 'leases of deliveries could not be renewed')
    this.#renewal = setInterval(
      () => this.#renew().catch(this.#unrenewed),
      this.#leaseMs / RENEWALS_PER_LEASE,
    )
  }

  /**
   * Sends the due deliveries of an endpoint. A signal for an endpoint with a run makes this run check again at its end.
   */
  async run(run: ConsumerRun): Promise<number | undefined> {
    const running = this.#turns.get(run.key)
    if (running) {
      running.again()
      return undefined
    }
    const turn = new EndpointRun(this, run)
    this.#turns.set(run.key, turn)
    try {
      const wait = await turn.run()
      return turn.isWantedAgain ? 0 : wait
    } finally {
      this.#turns.delete(run.key)
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#renewal)
    await this.fetcher.close()
    await this.#pool.end()
  }

  slotsOf(lane: Lane): FairSemaphore {
    const slots = this.#slots.get(lane) ?? makeSlots()
    this.#slots.set(lane, slots)
    return slots
  }

  /** Claims what is due of an endpoint; from then on its lease is kept. */
  async claim(request: ClaimRequest): Promise<Claim> {
    const claimed = await this.#claims.add(request)
    const { projectId, token } = request
    const since = performance.now()
    for (const { id } of claimed.deliveries) this.#leased.set(id, { projectId, deliveryId: id, token, since })
    return claimed
  }

  /** Whether this process still holds the lease of a delivery. */
  holds(deliveryId: string): boolean {
    return this.#leased.has(deliveryId)
  }

  async record(result: AttemptResult): Promise<Recorded> {
    try {
      return await this.#records.add(result)
    } finally {
      this.#leased.delete(result.deliveryId)
    }
  }

  /** Releases deliveries that were not sent. */
  async release(deliveryIds: readonly string[]): Promise<void> {
    const leased = deliveryIds.map((id) => this.#leased.get(id)).filter((each) => each !== undefined)
    for (const { deliveryId } of leased) this.#leased.delete(deliveryId)
    if (leased.length > 0) await release(this.#pool, leased)
  }

  moveToLane(projectId: string, endpointId: string, lane: SendLane): Promise<void> {
    return moveToLane(this.#pool, projectId, endpointId, lane)
  }

  /**
   * Records results, because a lost result means that a delivery is sent twice. It waits while the database is
   * unreachable. If the database refuses a result, it is recorded without the receiver's answer.
   */
  async #recordAll(results: AttemptResult[]): Promise<Recorded[]> {
    for (;;) {
      try {
        const recorded = await record(this.#pool, results)
        this.#complain.over()
        return recorded
      } catch (error) {
        if (this.#closed) throw error
        if (!isOutage(error)) return this.#recordBare(results, error)
        this.#complain(error)
        await sleep(RECORD_PAUSE_MS)
      }
    }
  }

  async #recordBare(results: AttemptResult[], error: unknown): Promise<Recorded[]> {
    this.#log.error(
      { err: error },
      'answers of receivers could not be stored; attempts are recorded without them',
    )
    return record(
      this.#pool,
      results.map((result) => ({ ...result, headers: null, body: null })),
    )
  }

  async #renew(): Promise<void> {
    const old = performance.now() - this.#leaseMs / RENEWALS_PER_LEASE
    const leased = [...this.#leased.values()].filter(({ since }) => since < old)
    if (leased.length === 0) return
    const kept = await renew(this.#pool, leased, this.#leaseMs)
    this.#unrenewed.over()
    for (const { deliveryId } of leased) if (!kept.has(deliveryId)) this.#leased.delete(deliveryId)
  }
}
