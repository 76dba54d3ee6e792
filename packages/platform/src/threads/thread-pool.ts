import { Piscina } from 'piscina'
import { ApiError } from '../errors.ts'
import { type Asker, FairSemaphore, type SemaphoreOptions } from './fair-semaphore.ts'

interface PoolOptions extends Omit<SemaphoreOptions, 'slots'> {
  /** A module whose default export does a task. */
  readonly module: URL
  readonly threads: number
  /** The longest time for one task. A thread that needs longer is ended. */
  readonly timeLimitMs: number
  /** The memory of a thread. A thread that needs more is ended. */
  readonly memoryMb?: number
}

/** A task needed more memory than a thread has. */
export class OutOfMemory extends Error {
  override name = 'OutOfMemory'
}

/**
 * Threads for work that would hold up the event loop. Projects take turns at them. They start with their first task, and
 * an idle one does not keep the process alive. Piscina gives each answer to the task that it belongs to.
 */
export class ThreadPool<Task, Result> {
  readonly #threads: Piscina<Task, Result>
  readonly #turns: FairSemaphore
  readonly #options: PoolOptions

  constructor(options: PoolOptions) {
    const { module, threads, memoryMb } = options
    this.#options = options
    this.#turns = new FairSemaphore({ ...options, slots: threads })
    this.#threads = new Piscina<Task, Result>({
      filename: module.href,
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: Number.POSITIVE_INFINITY,
      // Flags of the process, such as those of a debugger, must not reach a thread.
      execArgv: [],
      ...(memoryMb !== undefined && { resourceLimits: { maxOldGenerationSizeMb: memoryMb } }),
    })
    // A thread that ends without a task is replaced by the next task's.
    this.#threads.on('error', () => {})
  }

  /**
   * Does a task in a thread. Not to be called in a transaction, because it takes time.
   * @param asker whose turn it takes
   * @param admit called when the turn has come; what it throws ends the task
   * @throws ApiError 503 where too many wait or the task takes too long; OutOfMemory; whatever the task throws
   */
  run(task: Task, asker: Asker, admit?: () => Promise<void>): Promise<Result> {
    const { timeLimitMs, busy } = this.#options
    return this.#turns.run(asker, async () => {
      await admit?.()
      const signal = AbortSignal.timeout(timeLimitMs)
      try {
        return await this.#threads.run(task, { signal })
      } catch (error) {
        if (signal.aborted)
          throw new ApiError(503, 'UNAVAILABLE', `${busy}: try again`, {
            cause: error,
            headers: { 'retry-after': '5' },
          })
        if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY')
          throw new OutOfMemory('the task needs too much memory', { cause: error })
        throw error
      }
    })
  }

  /** Ends the threads and their work. */
  async close(): Promise<void> {
    await this.#threads.destroy()
  }
}
