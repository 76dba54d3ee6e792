/** Somebody who takes as many bytes as are granted, or fewer. */
export interface ScheduledCopy {
  /** Bytes that it has taken since it began. */
  readonly taken: number
  /** Grants so many from now on; what is left of those before is void. */
  grant(bytes: number): void
}

/** How often bytes are granted. */
const TICK_MS = 16
/** What everybody may take at once, so that what is small waits for nobody. */
const START_BYTES = 256 * 1024
/**
 * What goes out in a tick while others ask for something. Copies take whole chunks, of 64 KiB, so that it is two of them:
 * 8 MB a second, hardly any work for a core.
 */
const PACE_BYTES = 96 * 1024
/**
 * How many ticks a turn lasts while others wait: 2 s, much longer than PostgreSQL needs to fill again the 10 MB that the
 * kernel holds between it and us, because so long it works for one whose turn is over.
 */
const TURN_TICKS = 125
/** Whoever takes less than a pace in so many ticks reads slowly, or finds little, and needs no turn. */
const PATIENCE_TICKS = 4

/**
 * Lets copies go out one after the other, and each of them give way to requests. Copies that flow together keep as many
 * cores of the database busy as there are copies, and everybody else waits for one; in turn they take no longer. A
 * reader that is slow or gone holds up nobody, and goes on beside the others as well as it can.
 */
export class CopyScheduler {
  readonly #isAskedBeside: () => boolean
  /** In the order of their turns; it is the first one's. */
  readonly #queue = new Set<ScheduledCopy>()
  /** Those that need no turn, with what they had taken at the last tick. */
  readonly #slow = new Map<ScheduledCopy, number>()
  /** Of this turn. */
  #ticks = 0
  /** What the first had taken when it was last looked at. */
  #taken = 0
  #ticking: NodeJS.Timeout | undefined

  /** @param isAskedBeside whether anybody asked for anything else since it was last called */
  constructor(isAskedBeside: () => boolean = () => false) {
    this.#isAskedBeside = isAskedBeside
  }

  /** Takes somebody in, until it leaves. */
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
    if (first !== undefined && this.#ticks % PATIENCE_TICKS === 0) this.#judge(first)
    const isAskedBeside = this.#isAskedBeside()
    const [next] = this.#queue
    next?.grant(isAskedBeside ? PACE_BYTES : Number.POSITIVE_INFINITY)
  }

  #judge(first: ScheduledCopy): void {
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

  /** Takes somebody out of the queue; if it was its turn, the next one's begins. */
  #passFrom(taker: ScheduledCopy): void {
    const [first] = this.#queue
    this.#queue.delete(taker)
    if (taker !== first) return
    const [next] = this.#queue
    this.#ticks = 0
    this.#taken = next?.taken ?? 0
  }
}
