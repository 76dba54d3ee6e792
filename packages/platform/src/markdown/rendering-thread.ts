import { Worker } from 'node:worker_threads'
import type { Rendered } from './render.ts'

/** A message of the thread. */
export type Reply =
  | { readonly is: 'ready' }
  | { readonly is: 'done'; readonly outcome: Outcome }
  | { readonly is: 'broken'; readonly message: string }

/** The result for a text. */
export type Outcome = Rendered | 'too deep' | 'too much'

/** The memory of the thread; a text that needs more is refused. */
const MEMORY_MB = 128

interface Running {
  readonly worker: Worker
  readonly ready: Promise<void>
}

/** A thread that only renders Markdown. It starts with the first text, and is ended when a text takes too long. */
export class RenderingThread {
  readonly #timeLimitMs: number
  #running: Running | undefined
  #asked: PromiseWithResolvers<Outcome> | undefined

  /** @param timeLimitMs the longest time for one text */
  constructor(timeLimitMs: number) {
    this.#timeLimitMs = timeLimitMs
  }

  /**
   * Renders one text at a time. The thread does not keep the process alive when it is idle.
   * @throws Error if the renderer fails; the thread starts again for the next text
   */
  async render(source: string): Promise<Outcome> {
    this.#running ??= this.#start()
    const { worker, ready } = this.#running
    worker.ref()
    const asked = Promise.withResolvers<Outcome>()
    let clock: NodeJS.Timeout | undefined
    try {
      // The time limit starts when the thread has started.
      await ready
      this.#asked = asked
      clock = setTimeout(() => this.#giveUp(asked), this.#timeLimitMs)
      worker.postMessage(source)
      return await asked.promise
    } finally {
      clearTimeout(clock)
      worker.unref()
    }
  }

  /** Ends the thread and its work. */
  async close(): Promise<void> {
    await this.#running?.worker.terminate()
  }

  #giveUp(asked: PromiseWithResolvers<Outcome>): void {
    const worker = this.#running?.worker
    this.#running = undefined
    asked.resolve('too much')
    worker?.terminate().catch(() => {})
  }

  #start(): Running {
    // Flags of the process, such as those of a debugger, must not reach the thread.
    const worker = new Worker(new URL('rendering-thread.worker.ts', import.meta.url), {
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    })
    const { promise: ready, resolve: isReady, reject: isNot } = Promise.withResolvers<void>()
    const fail = (error: Error) => {
      isNot(error)
      if (this.#running?.worker !== worker) return
      this.#running = undefined
      this.#asked?.reject(error)
    }
    worker.on('message', (reply: Reply) => {
      if (reply.is === 'ready') isReady()
      else if (reply.is === 'done') this.#asked?.resolve(reply.outcome)
      else this.#asked?.reject(new Error(reply.message))
    })
    worker.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') this.#asked?.resolve('too much')
      fail(error)
    })
    worker.on('exit', () => fail(new Error('the rendering thread has ended')))
    return { worker, ready }
  }
}
