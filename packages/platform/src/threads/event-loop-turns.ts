import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { type Asker, FairSemaphore } from './fair-semaphore.ts'

/** Milliseconds of work that can be cut in one turn of the event loop. */
const SLICE_MS = 4

/** Milliseconds of such work that wait for no turn. */
const SHORT_MS = 1

/** How many times as long as a piece of work took the event loop is left to others. A request has several round trips to the database. */
const REST = 3

/** Bytes of JSON that are read or written within a millisecond or two. More of them waits for a turn. */
export const LARGE_JSON = 128 * 1024

/** Requests that may wait for a turn in all; some of them hold a body of 1 MiB. */
const WAITING = 200

/**
 * Turns of the event loop for work that takes milliseconds in this thread: one such piece of work is done at a time, projects take
 * turns, and after each the loop is left to others for three times as long. So requests that need little are answered in between.
 */
export class EventLoopTurns {
  readonly #semaphore: FairSemaphore

  constructor({ waiting = WAITING }: { readonly waiting?: number } = {}) {
    const busy = 'Too much work of this size is waiting now'
    this.#semaphore = new FairSemaphore({ slots: 1, waiting, busy })
  }

  /** Begins work that can be cut into slices. Its first slice is now: short work never waits. */
  begin(asker: Asker): Slices {
    return new Slices(asker, this)
  }

  /**
   * Waits for a turn. What follows at once, without waiting for anything else, is done in it.
   * @throws ApiError 503 where too many wait; the reason of the asker's signal
   */
  async next(asker: Asker): Promise<void> {
    const isTaken = this.#semaphore.take(asker)
    if (!(isTaken === true || (await isTaken))) throw asker.signal?.reason
    await nextTurn()
    this.#rest(asker).catch(() => undefined)
  }

  /** Keeps the others waiting until the work is over, and while the loop rests from it. */
  async #rest(asker: Asker): Promise<void> {
    const begun = performance.now()
    const used = process.cpuUsage()
    await nextTurn()
    const { user, system } = process.cpuUsage(used)
    // Where other processes use the cores, a piece takes much longer than it keeps this one busy.
    await sleep(Math.min(performance.now() - begun, (user + system) / 1_000) * REST)
    this.#semaphore.release(asker)
  }
}

/** The slices of one request's work. */
export class Slices {
  readonly #asker: Asker
  readonly #turns: EventLoopTurns
  #until = performance.now() + SHORT_MS

  constructor(asker: Asker, turns: EventLoopTurns) {
    this.#asker = asker
    this.#turns = turns
  }

  /** Whether the work must wait for its next slice before it goes on. */
  get isOver(): boolean {
    return performance.now() > this.#until
  }

  /** Waits for the next slice. @throws ApiError 503 where too many wait */
  async next(): Promise<void> {
    await this.#turns.next(this.#asker)
    this.#until = performance.now() + SLICE_MS
  }
}
