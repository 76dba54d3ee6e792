/** How far the primary had written at a moment of this process's clock. */
export interface WrittenPosition {
  /** `performance.now()` before the primary was asked. */
  readonly at: number
  /** Bytes from the start of the write-ahead log. */
  readonly bytes: number
}

/** A page of the write-ahead log, and the longest header of one. */
const PAGE_BYTES = 8192
const LONGEST_HEADER = 40

/** Positions that are kept; of more than these, every second one is forgotten. */
const MOST_POSITIONS = 1_000

/**
 * Which commits a replica shows, in the clock of this process. A position of the primary that was asked for at a moment is
 * behind every commit that was answered before that moment. A replica that has replayed up to the position shows all of
 * them. No clocks of servers are compared.
 */
export class ReplayProgress {
  /** Every commit before this moment is shown. */
  freshAsOf = Number.NEGATIVE_INFINITY
  /** Positions that the replica has not reached yet, oldest first. */
  #ahead: WrittenPosition[] = []
  #written = 0
  #replayed = 0
  /** Since when positions are known. */
  #since = Number.POSITIVE_INFINITY

  /** Notes a position of the primary. */
  note({ at, bytes }: WrittenPosition): void {
    const position = { at, bytes: endOfRecords(bytes) }
    // Another server has become the primary, or it lost unflushed changes: older positions mean nothing there.
    if (position.bytes < this.#written) this.reset()
    this.#since = Math.min(this.#since, at)
    this.#written = position.bytes
    this.#ahead.push(position)
    if (this.#ahead.length > MOST_POSITIONS) this.#ahead = this.#ahead.filter((_, n) => n % 2 === 1)
  }

  /** Notes what the replica has replayed. */
  reach(bytes: number): void {
    this.#replayed = bytes
    while (this.#ahead[0] !== undefined && this.#ahead[0].bytes <= bytes)
      this.freshAsOf = this.#ahead.shift()?.at ?? this.freshAsOf
  }

  /** Whether it is known which commits are shown. */
  get isKnown(): boolean {
    return Number.isFinite(this.freshAsOf)
  }

  /** Milliseconds since the moment of which it is known that all before it is shown; or since somebody tries to find out. */
  get ageMs(): number {
    return Math.max(0, performance.now() - (this.isKnown ? this.freshAsOf : this.#since))
  }

  /** Bytes that the primary has written and the replica does not show yet. */
  get lagBytes(): number {
    return Math.max(0, this.#written - this.#replayed)
  }

  /** Forgets everything. */
  reset(): void {
    this.freshAsOf = Number.NEGATIVE_INFINITY
    this.#ahead = []
    this.#written = 0
    this.#since = Number.POSITIVE_INFINITY
  }
}

/**
 * Where the last record ends. A primary that has filled a page says the position behind the next page's header, which
 * belongs to no record, so that no replica reaches it before something is written.
 */
function endOfRecords(bytes: number): number {
  const intoPage = bytes % PAGE_BYTES
  return intoPage <= LONGEST_HEADER ? bytes - intoPage : bytes
}
