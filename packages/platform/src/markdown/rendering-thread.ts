import { Worker } from 'node:worker_threads'
import type { Rendered } from './render.ts'

/** What the thread says. */
export type Reply =
  | { readonly is: 'ready' }
  | { readonly is: 'done'; readonly outcome: Outcome }
  | { readonly is: 'broken'; readonly message: string }

/** What became of a text. */
export type Outcome = Rendered | 'too deep' | 'too much'

/** Memory of the thread; what needs more is as good as endless. */
const MEMORY_MB = 128

interface Running {
  readonly worker: Worker
  readonly ready: Promise<void>
}

/** A thread that does nothing but render Markdown. It is started when it is first asked, and ended where that takes too long. */
export class RenderingThread {
  readonly #timeLimitMs: number
  #running: Running | undefined
  #asked: PromiseWithResolvers<Outcome> | undefined

  /** @param timeLimitMs how long one text may take */
  constructor(timeLimitMs: number) {
    this.#timeLimitMs = timeLimitMs
  }

  /**
   * Renders a text, the only one at a time. The process stays alive for that and no longer.
   * @throws Error where the renderer breaks; it is started anew for the next text
   */
  async render(source: string): Promise<Outcome> {
    this.#running ??= this.#start()
    const { worker, ready } = this.#running
    worker.ref()
    const asked = Promise.withResolvers<Outcome>()
    let clock: NodeJS.Timeout | undefined
    try {
      // What the thread needs to start is not the text's fault.
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

  /** Ends it, and what it works on. */
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
    // The flags of the process, such as those of a debugger, are not for it.
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
