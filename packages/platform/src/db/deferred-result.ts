/**
 * A result that a transaction has not received yet. Awaiting it sends the statements so far; what nobody awaits is sent
 * with the next round trip, or with the commit.
 */
export class DeferredResult<T> implements PromiseLike<T> {
  readonly #answer: Promise<T>
  readonly #awaited: () => void

  /**
   * @param answer settles when PostgreSQL has answered
   * @param awaited called whenever somebody awaits the answer
   */
  constructor(answer: Promise<T>, awaited: () => void) {
    this.#answer = answer
    this.#awaited = awaited
    // A failed batch rejects all its answers, also those that nobody waits for; the transaction itself reports it.
    answer.catch(() => {})
  }

  // biome-ignore lint/suspicious/noThenProperty: being awaitable is what it is for
  then<A = T, B = never>(
    onAnswer?: ((value: T) => A | PromiseLike<A>) | null,
    onError?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#awaited()
    return this.#answer.then(onAnswer, onError)
  }

  /**
   * The same answer in another shape; still one round trip. For areas that are not converted yet.
   * @param change must not throw to undo what was written: by then it may be committed
   */
  map<U>(change: (value: T) => U): DeferredResult<U> {
    return new DeferredResult(this.#answer.then(change), this.#awaited)
  }

  /**
   * Two answers as one. Where both fail, this one's error is thrown, so that checks are answered in their order. For areas
   * that are not converted yet.
   */
  and<U>(other: DeferredResult<U>): DeferredResult<[T, U]> {
    const both = this.#answer.then((one) => other.#answer.then((two): [T, U] => [one, two]))
    return new DeferredResult(both, this.#awaited)
  }

  /** The answer itself, for the transaction that has already sent everything. */
  settled(): Promise<T> {
    return this.#answer
  }
}
