interface Waiting<I, O> {
  readonly item: I
  readonly resolve: (result: O) => void
  readonly reject: (error: unknown) => void
}

/**
 * Group commit: items that arrive while a batch runs go into the next batch. A single item waits for nothing; under
 * load hundreds of items share one statement.
 */
export class Batches<I, O> {
  readonly #work: (items: I[]) => Promise<O[]>
  readonly #largest: number
  #waiting: Waiting<I, O>[] = []
  #running: Promise<void> | undefined

  /**
   * @param work answers a result for each item, in their order
   * @param largest items of one batch
   */
  constructor(work: (items: I[]) => Promise<O[]>, largest: number) {
    this.#work = work
    this.#largest = largest
  }

  /** @throws whatever the batch of this item throws */
  do(item: I): Promise<O> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject })
      // Items of the same turn of the event loop form one batch.
      this.#running ??= Promise.resolve().then(() => this.#run())
    })
  }

  /** Resolves when nothing is left to do. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#largest)
      try {
        const results = await this.#work(batch.map(({ item }) => item))
        for (const [i, { resolve }] of batch.entries()) resolve(results[i] as O)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    this.#running = undefined
  }
}
