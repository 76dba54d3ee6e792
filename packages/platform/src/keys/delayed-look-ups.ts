import { ApiError } from '../errors.ts'
import { Batcher } from '../threads/batcher.ts'

/** How long look-ups wait for others, so that there are four statements a second, however many wait. */
const WAIT_MS = 250
/** How many may wait: more than a process can be asked in this time. */
const MOST_WAITING = 10_000

/**
 * Look-ups by key: those that are asked for within 250 ms are made in one statement. It is for clients that sent too many
 * wrong credentials: a valid one among them is still found, and guesses cost the database next to nothing.
 */
export class DelayedLookUps<T> {
  readonly #batcher: Batcher<string, T | undefined>

  /** @param lookUp the values of those keys that exist */
  constructor(lookUp: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>) {
    this.#batcher = new Batcher({
      begins: WAIT_MS,
      overlapAt: 1,
      work: async (batch) => {
        const found = await lookUp([...new Set(batch.map(({ item }) => item))])
        for (const { item, resolve } of batch) resolve(found.get(item))
      },
    })
  }

  /** The value of a key, or undefined. @throws ApiError 503 where too many wait */
  ask(key: string): Promise<T | undefined> {
    if (this.#batcher.size < MOST_WAITING) return this.#batcher.add(key)
    throw new ApiError(503, 'UNAVAILABLE', 'Too many credentials are being checked. Try again in 1 s', {
      headers: { 'retry-after': '1' },
    })
  }
}
