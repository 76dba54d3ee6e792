/** A copy that reads at most as many bytes as the scheduler allows. */
export interface ScheduledCopy {
  /** The number of bytes that it has read since its start. */
  readonly taken: number
  /** Allows this number of bytes from now on; the rest of an earlier allowance expires. */
  grant(bytes: number): void
}

/** Milliseconds between two grants. */
const TICK_MS = 16
/** The number of bytes that every copy may read at once, so that small copies never wait. */
const START_BYTES = 256 * 1024
/** Bytes granted in a tick while requests use the database. Copies take whole chunks of 64 KiB, so two: 8 MB a second. */
const PACE_BYTES = 96 * 1024
/** Ticks of a turn: 2 s, much longer than PostgreSQL works after it until the 10 MB of buffers in the kernel are full. */
const TURN_TICKS = 125
/** A copy that takes less than one grant in so many ticks has a slow reader, or finds few rows, and needs no turn. */
const PATIENCE_TICKS = 4

/**
 * Runs copies one after the other, and slows them down while requests use the database. Copies that run at the same
 * time would occupy one core of the database each, and requests would wait; one after the other they take no longer. A
 * slow or absent reader delays nobody: its copy goes on beside the others.
 */
export class CopyScheduler {
  readonly #isAskedBeside: () => boolean
  /** Copies in the order of their turns; the first one has the turn. */
  readonly #queue = new Set<ScheduledCopy>()
  /** Copies that need no turn, with the bytes that they had taken at the last tick. */
  readonly #slow = new Map<ScheduledCopy, number>()
  /** Ticks of the present turn. */
  #ticks = 0
  /** Bytes that the first copy had taken at the last check. */
  #taken = 0
  #ticking: NodeJS.Timeout | undefined

  /** @param isAskedBeside whether the database has received other statements since the last call */
  constructor(isAskedBeside: () => boolean = () => false) {
    this.#isAskedBeside = isAskedBeside
  }

  /** Adds a copy, until it leaves. */
  join(taker: ScheduledCopy): void {
    this.#queue.add(taker)
    taker.grant(START_BYTES)
    this.#ticking ??= setInterval(() => this.#tick(), TICK_MS)
  }

  leave(taker: ScheduledCopy): void {
    this.#slow.delete(taker)
    this.#passFrom(taker)
    if (this.#queue.size + this.#slow.size > 0) return
    clearInterval(this.#ticking)
    this.#ticking = undefined
  }

  #tick(): void {
    for (const [taker, taken] of this.#slow) {
      if (taker.taken - taken < PACE_BYTES) this.#goOnSlowly(taker)
      else {
        this.#slow.delete(taker)
        this.#queueUp(taker)
      }
    }
    this.#ticks += 1
    const [first] = this.#queue
    if (first !== undefined && this.#ticks % PATIENCE_TICKS === 0) this.#checkProgress(first)
    const isAskedBeside = this.#isAskedBeside()
    const [next] = this.#queue
    next?.grant(isAskedBeside ? PACE_BYTES : Number.POSITIVE_INFINITY)
  }

  #checkProgress(first: ScheduledCopy): void {
    const isSlow = first.taken - this.#taken < PACE_BYTES
    this.#taken = first.taken
    if (!isSlow && this.#ticks < TURN_TICKS) return
    this.#passFrom(first)
    if (isSlow) this.#goOnSlowly(first)
    else this.#queueUp(first)
  }

  #goOnSlowly(taker: ScheduledCopy): void {
    this.#slow.set(taker, taker.taken)
    taker.grant(PACE_BYTES)
  }

  #queueUp(taker: ScheduledCopy): void {
    this.#queue.add(taker)
    taker.grant(0)
  }

  /** Removes a copy; if it had the turn, the next one gets it. */
  #passFrom(taker: ScheduledCopy): void {
    const [first] = this.#queue
    this.#queue.delete(taker)
    if (taker !== first) return
    const [next] = this.#queue
    this.#ticks = 0
    this.#taken = next?.taken ?? 0
  }
}
