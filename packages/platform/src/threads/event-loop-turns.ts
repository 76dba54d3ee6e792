import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Asker, FairSemaphore } from './fair-semaphore.ts'

/** Milliseconds of long work in one turn of the event loop. */
const SLICE_MS = 4

interface Options {
  /** How many requests may wait for a turn in all. */
  readonly waiting: number
  /** What the 503 says where too many wait, such as "Too many pages are being checked now". */
  readonly busy: string
}

/**
 * Long work that stays in this thread is done in slices. In each turn of the event loop one slice is done, and projects take turns, so
 * other requests are answered in between.
 */
export class EventLoopTurns {
  readonly #semaphore: FairSemaphore

  constructor({ waiting, busy }: Options) {
    this.#semaphore = new FairSemaphore({ slots: 1, waiting, busy })
  }

  /** Begins the work of one request. Its first slice is now: short work never waits. */
  begin(asker: Asker): Slices {
    return new Slices(asker, this.#semaphore)
  }
}

/** The slices of one request's work. */
export class Slices {
  readonly #asker: Asker
  readonly #semaphore: FairSemaphore
  #until = performance.now() + SLICE_MS

  constructor(asker: Asker, semaphore: FairSemaphore) {
    this.#asker = asker
    this.#semaphore = semaphore
  }

  /** Whether the work must wait for its next slice before it goes on. */
  get isOver(): boolean {
    return performance.now() > this.#until
  }

  /** Waits for the next slice. @throws ApiError 503 where too many wait */
  async next(): Promise<void> {
    await this.#semaphore.run(this.#asker, () => nextTurn())
    this.#until = performance.now() + SLICE_MS
  }
}
