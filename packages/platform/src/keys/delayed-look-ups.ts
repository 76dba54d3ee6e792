import { ApiError } from '../errors.ts'

/** How long look-ups wait for others, so that there are four statements a second, however many wait. */
const WAIT_MS = 250
/** How many may wait: more than a process can be asked in this time. */
const MOST_WAITING = 10_000

/**
 * A batcher of look-ups by key: those that are asked for within 250 ms are made in one statement. It is for clients that
 * sent too many wrong credentials: a valid one among them is still found, and guesses cost the database next to nothing.
 */
export class DelayedLookUps<T> {
  readonly #lookUp: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>
  #waiting = new Map<string, PromiseWithResolvers<T | undefined>>()

  /** @param lookUp the values of those keys that there are */
  constructor(lookUp: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>) {
    this.#lookUp = lookUp
  }

  /** The value of a key, or undefined. @throws ApiError 503 where too many wait */
  ask(key: string): Promise<T | undefined> {
    const known = this.#waiting.get(key)
    if (known !== undefined) return known.promise
    if (this.#waiting.size === MOST_WAITING)
      throw new ApiError(503, 'UNAVAILABLE', 'Too many credentials are being checked. Try again in 1 s', {
        headers: { 'retry-after': '1' },
      })
    // Not unref'd: whoever waits has a connection open.
    if (this.#waiting.size === 0) setTimeout(() => this.#answerAll(), WAIT_MS)
    const asked = Promise.withResolvers<T | undefined>()
    this.#waiting.set(key, asked)
    return asked.promise
  }

  #answerAll(): void {
    const waiting = this.#waiting
    this.#waiting = new Map()
    this.#lookUp([...waiting.keys()]).then(
      (found) => {
        for (const [key, asked] of waiting) asked.resolve(found.get(key))
      },
      (error: unknown) => {
        for (const asked of waiting.values()) asked.reject(error)
      },
    )
  }
}
