/** An item that waits for its result, or whose batch is under way. */
export interface Pending<I, O> {
  readonly item: I
  readonly resolve: (result: O) => void
  readonly reject: (error: unknown) => void
}

export interface BatcherOptions<I, O> {
  /** Does the work of one batch, and resolves each item. If it throws, the unresolved items are rejected. */
  readonly work: (batch: readonly Pending<I, O>[]) => Promise<void>
  /**
   * When a batch begins after its first item: at once, with all of the same function; at the end of the turn of the event
   * loop; or after so many milliseconds. While all `concurrency` is used, items wait for the end of a batch.
   */
  readonly begins: 'at once' | 'end of turn' | number
  /** What the items of one batch have in common, such as their project. Keys take turns. Default: all items are of one key. */
  readonly keyOf?: (item: I) => string
  /** How much an item adds to its batch. Default: 1. */
  readonly sizeOf?: (item: I) => number
  /** The size of a batch at the most; a single item may be larger. Default: whatever waits. */
  readonly largest?: number
  /** Batches under way at a time. Default: as many as there are. */
  readonly concurrency?: number
  /** The size that must wait for a key to have one more batch under way. Default: never, so batches of a key do not overlap. */
  readonly overlapAt?: number
}

interface Queue<I, O> {
  waiting: Pending<I, O>[]
  size: number
  underWay: number
}

/** Does work for many callers at once: a group commit, one statement for many look-ups, one command for many counts. */
export class Batcher<I, O> {
  readonly #options: BatcherOptions<I, O>
  /** By key; it is the first one's turn. */
  readonly #queues = new Map<string, Queue<I, O>>()
  #size = 0
  #underWay = 0
  #isScheduled = false
  #idle: PromiseWithResolvers<void> | undefined

  constructor(options: BatcherOptions<I, O>) {
    this.#options = options
  }

  /** The size of all items that wait or are under way. */
  get size(): number {
    return this.#size
  }

  /** Adds an item to a batch. @throws whatever the work of its batch throws */
  add(item: I): Promise<O> {
    const { keyOf, sizeOf } = this.#options
    const { promise, resolve, reject } = Promise.withResolvers<O>()
    const key = keyOf?.(item) ?? ''
    const size = sizeOf?.(item) ?? 1
    let queue = this.#queues.get(key)
    if (queue === undefined) {
      queue = { waiting: [], size: 0, underWay: 0 }
      this.#queues.set(key, queue)
    }
    queue.waiting.push({ item, resolve, reject })
    queue.size += size
    this.#size += size
    this.#schedule()
    return promise
  }

  /** Resolves when nothing is left to do. */
  async idle(): Promise<void> {
    if (this.#queues.size === 0) return
    this.#idle ??= Promise.withResolvers<void>()
    await this.#idle.promise
  }

  #schedule(): void {
    if (this.#isScheduled || this.#underWay >= (this.#options.concurrency ?? Number.POSITIVE_INFINITY)) return
    this.#isScheduled = true
    const { begins } = this.#options
    const begin = () => {
      this.#isScheduled = false
      this.#begin()
    }
    if (begins === 'at once') queueMicrotask(begin)
    else if (begins === 'end of turn') setImmediate(begin)
    // Not unref'd: somebody waits.
    else setTimeout(begin, begins)
  }

  #begin(): void {
    const { concurrency = Number.POSITIVE_INFINITY, overlapAt = Number.POSITIVE_INFINITY } = this.#options
    while (this.#underWay < concurrency) {
      const next = this.#queues
        .entries()
        .find(
          ([, { size, underWay, waiting }]) => waiting.length > 0 && (underWay === 0 || size >= overlapAt),
        )
      if (next === undefined) return
      const [key, queue] = next
      // Behind the others: they have their turn first.
      this.#queues.delete(key)
      this.#queues.set(key, queue)
      this.#run(key, queue)
    }
  }

  #run(key: string, queue: Queue<I, O>): void {
    const { batch, size } = this.#take(queue)
    this.#underWay += 1
    queue.underWay += 1
    const end = () => {
      this.#underWay -= 1
      queue.underWay -= 1
      this.#size -= size
      if (queue.underWay === 0 && queue.waiting.length === 0) this.#queues.delete(key)
      if (!this.#isScheduled) this.#begin()
      if (this.#queues.size > 0) return
      this.#idle?.resolve()
      this.#idle = undefined
    }
    this.#options.work(batch).then(end, (error: unknown) => {
      for (const { reject } of batch) reject(error)
      end()
    })
  }

  /** The oldest items of a queue, as many as one batch takes. */
  #take(queue: Queue<I, O>): { batch: readonly Pending<I, O>[]; size: number } {
    const { largest = Number.POSITIVE_INFINITY, sizeOf } = this.#options
    let size = 0
    let count = 0
    for (const { item } of queue.waiting) {
      const added = sizeOf?.(item) ?? 1
      if (count > 0 && size + added > largest) break
      size += added
      count += 1
    }
    queue.size -= size
    return { batch: queue.waiting.splice(0, count), size }
  }
}

/** Work that answers a result for each item, in their order. */
export const eachInOrder =
  <I, O>(work: (items: I[]) => Promise<readonly O[]>): BatcherOptions<I, O>['work'] =>
  async (batch) => {
    const results = await work(batch.map(({ item }) => item))
    for (const [n, { resolve }] of batch.entries()) resolve(results[n] as O)
  }
