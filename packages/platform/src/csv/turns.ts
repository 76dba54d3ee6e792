/** Somebody who takes as many bytes as are granted, or fewer. */
export interface TurnTaker {
  /** Bytes that it has taken since it began. */
  readonly taken: number
  /** Grants so many from now on; what is left of those before is void. */
  grant(bytes: number): void
}

/** How often bytes are granted. */
const TICK_MS = 40
/**
 * What everybody gets in that time, 1.6 MB a second: as much as many a reader takes, and hardly any work for a core.
 * Whoever takes less needs no turn.
 */
const TRICKLE_BYTES = 64 * 1024
/**
 * How many ticks a turn lasts while others wait: 2 s, much longer than PostgreSQL needs to fill again the 10 MB that the
 * kernel holds between it and us, because so long it works for one whose turn is over.
 */
const TURN_TICKS = 50

/**
 * Lets one at a time take all that it can, and the others a trickle. Copies that flow together keep as many cores of the
 * database busy as there are copies, and everybody else waits for a core; one after the other they take no longer.
 * A reader that is slow or gone holds up nobody, and nobody has to wait for what is small.
 */
export class Turns {
  /** In the order of their turns; it is the first one's. */
  readonly #takers = new Set<TurnTaker>()
  #ticks = 0
  /** What the first had taken at the last tick. */
  #taken = 0
  #ticking: NodeJS.Timeout | undefined

  /** Takes somebody in, until it leaves. */
  join(taker: TurnTaker): void {
    this.#takers.add(taker)
    this.#ticking ??= setInterval(() => this.#tick(), TICK_MS)
    this.#grant()
  }

  leave(taker: TurnTaker): void {
    this.#takers.delete(taker)
    if (this.#takers.size > 0) return
    clearInterval(this.#ticking)
    this.#ticking = undefined
  }

  #tick(): void {
    const [first] = this.#takers
    if (first === undefined) return
    this.#ticks += 1
    const isSlow = first.taken - this.#taken < TRICKLE_BYTES
    if (isSlow || this.#ticks >= TURN_TICKS) {
      this.#takers.delete(first)
      this.#takers.add(first)
      this.#ticks = 0
    }
    this.#grant()
  }

  #grant(): void {
    const [first] = this.#takers
    this.#taken = first?.taken ?? 0
    for (const taker of this.#takers) taker.grant(taker === first ? Number.POSITIVE_INFINITY : TRICKLE_BYTES)
  }
}
