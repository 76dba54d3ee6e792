import { randomUUID } from 'node:crypto'
import { toId } from '#platform/ids.ts'
import type { ConsumerRun } from '#platform/jobs/queues/work-signal.ts'
import type { Asker, FairSemaphore } from '#platform/threads/fair-semaphore.ts'
import { type Attempted, recordAttempt, send } from '../attempts/attempt.ts'
import { endpointId } from '../ids.ts'
import { CLAIM_ROWS, type Claimed, type SealedEndpoint } from './claim.ts'
import type { SendTools } from './send-tools.ts'

/** Milliseconds after which an endpoint with more deliveries lets other endpoints run. */
const TURN_MS = 2_000
/** A run waits for up to this long itself; a longer wait ends by a signal, and a still longer one by the sweep. */
const SHORT_WAIT_MS = 500
const LONGEST_WAIT_MS = 5_000

/**
 * Sends the deliveries of one endpoint: it claims ten at a time, sends five at a time (one in fifo mode), and records
 * the results as the answers arrive. These steps do not wait for each other.
 */
export class EndpointRun {
  readonly #sender: SendTools
  readonly #run: ConsumerRun
  readonly #slots: FairSemaphore
  readonly #asker: Asker
  readonly #names: { readonly project_id: string; readonly endpoint_id: string }
  readonly #token = randomUUID()
  readonly #endsAt = performance.now() + TURN_MS
  readonly #done = Promise.withResolvers<void>()
  /** Claimed and not yet begun. */
  #waiting: Claimed[] = []
  #endpoint: SealedEndpoint | undefined
  /** The database's clock when `#endpoint` was read, as this process's clock counts. */
  #readAt = 0
  /** Sends that may be in flight. */
  #room = 0
  #sending = 0
  /** From the begin of a send to the end of its record. */
  #unrecorded = 0
  /** A claim is under way or about to begin: the first one waits for a slot. */
  #claiming = true
  /** More may be due. */
  #more = true
  /** Whether leases of this run may keep other processes from sending. */
  #keepsOut = false
  /** Something ended the run early: a failure in fifo mode, another lane, or a disabled endpoint. */
  #stopped = false
  #over = false
  #wait: number | undefined
  #paused = false
  #fault: unknown

  constructor(sender: SendTools, run: ConsumerRun) {
    this.#sender = sender
    this.#run = run
    this.#slots = sender.slotsOf(run.lane)
    this.#asker = { projectId: run.projectId, caller: run.key, signal: run.signal }
    this.#names = { project_id: toId('project', run.projectId), endpoint_id: toId(endpointId, run.key) }
  }

  /**
   * @returns milliseconds after which to go on; undefined where nothing is left to do, or the sweep will find it
   * @throws where the database fails, or the endpoint cannot be opened
   */
  async run(): Promise<number | undefined> {
    // Nothing is claimed while nothing can be sent.
    if (!(await this.#slots.take(this.#asker))) return undefined
    await this.#claim()
    this.#slots.release(this.#asker)
    this.#pump()
    await this.#done.promise
    if (this.#fault !== undefined) throw this.#fault
    if (this.#run.signal.aborted || this.#stopped) return undefined
    if (this.#more) return 0
    return this.#wait !== undefined && this.#wait <= LONGEST_WAIT_MS ? this.#wait : undefined
  }

  /** Whether something new may have become due since the end of this run. */
  get isWantedAgain(): boolean {
    return this.#over && this.#more && !this.#stopped
  }

  /** Something new may be due. */
  again(): void {
    this.#more = true
    if (!this.#over) this.#pump()
  }

  /** Starts every send that can start; called after each change. */
  #pump(): void {
    if (this.#hasEnded() || this.#isShutOut()) this.#giveBack()
    while (this.#waiting.length > 0 && this.#sending < this.#room && this.#unrecorded < CLAIM_ROWS) {
      const delivery = this.#waiting.shift()
      if (delivery) this.#deliver(delivery).catch((error) => this.#fail(error))
    }
    if (this.#isIdle() && this.#keepsOut) {
      // A process that found no room has left its deliveries to this one.
      this.#keepsOut = false
      this.#more = true
    }
    if (this.#wantsMore())
      this.#claim().then(
        () => this.#pump(),
        (error) => this.#fail(error),
      )
    else if (this.#isIdle() && !this.#pausing()) {
      this.#over = true
      this.#done.resolve()
    }
  }

  #isIdle(): boolean {
    return this.#waiting.length + this.#unrecorded === 0 && !this.#claiming
  }

  /** Others hold all that may be in flight, and nothing that ends here would ever make room. */
  #isShutOut(): boolean {
    return this.#room <= 0 && this.#unrecorded === 0 && !this.#claiming
  }

  /** Waits for a short time because of a rate limit. */
  #pausing(): boolean {
    if (this.#hasEnded()) return false
    if (this.#wait !== undefined && this.#wait <= SHORT_WAIT_MS) {
      setTimeout(() => {
        this.#paused = false
        this.again()
      }, this.#wait)
      this.#wait = undefined
      this.#paused = true
    }
    return this.#paused
  }

  #hasEnded(): boolean {
    return this.#stopped || this.#run.signal.aborted || performance.now() > this.#endsAt
  }

  #wantsMore(): boolean {
    if (!this.#more || this.#claiming || this.#hasEnded()) return false
    const leased = this.#waiting.length + this.#unrecorded
    return this.#endpoint?.fifo ? leased === 0 : leased <= CLAIM_ROWS && this.#waiting.length < CLAIM_ROWS / 2
  }

  async #claim(): Promise<void> {
    const { projectId, key: endpointId } = this.#run
    this.#claiming = true
    this.#more = false
    try {
      const asked = performance.now()
      const { endpoint, deliveries, wanted, room, wait } = await this.#sender.claim({
        projectId,
        endpointId,
        token: this.#token,
        limit: CLAIM_ROWS,
      })
      this.#waiting.push(...deliveries)
      this.#room = room
      this.#wait = wait
      this.#endpoint = endpoint
      if (endpoint) this.#readAt = endpoint.now - asked
      // Fewer than were wanted are all that there were.
      this.#more ||= deliveries.length > 0 && deliveries.length >= wanted
      const leased = this.#waiting.length + this.#unrecorded
      this.#keepsOut = leased > 0 && leased >= room
      // The signal was sent before the endpoint moved to this lane.
      if (endpoint === undefined || endpoint.lane !== this.#run.lane) this.#stopped = true
    } catch (error) {
      this.#fail(error)
    } finally {
      this.#claiming = false
    }
  }

  async #deliver(delivery: Claimed): Promise<void> {
    const endpoint = this.#endpoint
    if (endpoint === undefined) return
    const sending = { sender: this.#sender, run: this.#run, endpoint, delivery, names: this.#names }
    this.#sending += 1
    this.#unrecorded += 1
    try {
      const attempted = await this.#inSlot(delivery, () => send(sending, this.#now()))
      // In fifo mode the next send starts after the result of this one is certain.
      if (!endpoint.fifo) this.#sendEnded()
      if (attempted && (await recordAttempt(sending, attempted, this.#token, this.#now())))
        this.#stopped = true
      if (endpoint.fifo) this.#sendEnded()
    } finally {
      this.#unrecorded -= 1
      this.#pump()
    }
  }

  /** Sends in a slot of the lane; undefined where the worker stops before there is one, or the lease ended. */
  async #inSlot(delivery: Claimed, work: () => Promise<Attempted>): Promise<Attempted | undefined> {
    if (!(await this.#slots.take(this.#asker))) {
      await this.#sender.release([delivery.id])
      return undefined
    }
    try {
      return this.#sender.holds(delivery.id) ? await work() : undefined
    } finally {
      this.#slots.release(this.#asker)
    }
  }

  #sendEnded(): void {
    this.#sending -= 1
    this.#pump()
  }

  /** Milliseconds since 1970 by the database's clock. */
  #now(): number {
    return this.#readAt + performance.now()
  }

  #giveBack(): void {
    const ids = this.#waiting.splice(0).map(({ id }) => id)
    if (ids.length === 0) return
    this.#more = true
    // Leases that cannot be released end by themselves.
    this.#sender
      .release(ids)
      .catch((error) => this.#run.log.warn({ err: error }, 'deliveries could not be released'))
  }

  #fail(error: unknown): void {
    this.#fault ??= error
    this.#stopped = true
    this.#pump()
  }
}
