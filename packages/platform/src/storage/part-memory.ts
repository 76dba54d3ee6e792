/** Bytes that all uploads of a process may hold together while they fill their parts. */
const BYTES = 40 * 1024 * 1024
/** Parts that are sent at a time. */
const SENDERS = 6

interface Waiting {
  readonly holder: PartBytes
  readonly bytes: number
  readonly go: () => void
}

/** What one upload holds of the shared memory. */
export interface PartBytes {
  reserved: number
}

/**
 * The memory that all uploads share: bytes that wait to become a part, and a few parts that are being sent. An upload
 * that finds it full waits until a part has been sent. If no part is being sent, because no upload has a whole one, the
 * upload with the most bytes goes on, so that one upload can always finish.
 */
export class PartMemory {
  readonly #most: number
  #reserved = 0
  #senders = SENDERS
  #sending = 0
  readonly #waiting = new Set<Waiting>()
  readonly #forSender: (() => void)[] = []

  constructor(bytes = BYTES) {
    this.#most = bytes
  }

  /** Bytes that are reserved right now. */
  get reserved(): number {
    return this.#reserved
  }

  /** Resolves when the holder may hold so many bytes more. */
  async take(holder: PartBytes, bytes: number): Promise<void> {
    if (this.#reserved + bytes > this.#most) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#waiting.add({ holder, bytes, go: resolve })
      this.#admitWaiting()
      await promise
      return
    }
    this.#give(holder, bytes)
  }

  /** The holder holds so many bytes less. */
  giveBack(holder: PartBytes, bytes: number): void {
    this.#reserved -= bytes
    holder.reserved -= bytes
    this.#admitWaiting()
  }

  /** Sends a part when one of the few senders is free. */
  async send<T>(work: () => Promise<T>): Promise<T> {
    this.#sending += 1
    try {
      if (this.#senders === 0) await new Promise<void>((resolve) => this.#forSender.push(resolve))
      else this.#senders -= 1
      try {
        return await work()
      } finally {
        const next = this.#forSender.shift()
        if (next) next()
        else this.#senders += 1
      }
    } finally {
      this.#sending -= 1
      this.#admitWaiting()
    }
  }

  #give(holder: PartBytes, bytes: number): void {
    this.#reserved += bytes
    holder.reserved += bytes
  }

  /** Lets waiting uploads go on while there is room, the fullest first; if nothing is being sent, at least one. */
  #admitWaiting(): void {
    const byFullest = [...this.#waiting].sort((a, b) => b.holder.reserved - a.holder.reserved)
    for (const [at, waiting] of byFullest.entries()) {
      const isStuck = at === 0 && this.#sending === 0
      if (this.#reserved + waiting.bytes > this.#most && !isStuck) return
      this.#waiting.delete(waiting)
      this.#give(waiting.holder, waiting.bytes)
      waiting.go()
    }
  }
}
