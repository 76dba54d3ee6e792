import { Worker } from 'node:worker_threads'

/** A task of the thread: make a hash, or check one. */
export type Task =
  | {
      readonly password: string
      readonly parameters: {
        readonly memoryCost: number
        readonly timeCost: number
        readonly parallelism: number
      }
    }
  | { readonly password: string; readonly hash: string }
/** The answer of the thread. */
export type Result = { readonly value: string | boolean } | { readonly error: string }

/** A thread for argon2id with a low priority. It starts with its first task. */
export class HashingThread {
  #worker: Worker | undefined
  #asked: PromiseWithResolvers<string | boolean> | undefined

  /**
   * Does one task at a time. An idle thread does not keep the process alive.
   * @throws Error for an invalid hash, and if the thread ends; it starts again for the next task
   */
  async run(task: Task): Promise<string | boolean> {
    this.#worker ??= this.#start()
    const worker = this.#worker
    this.#asked = Promise.withResolvers()
    worker.ref()
    worker.postMessage(task)
    try {
      return await this.#asked.promise
    } finally {
      worker.unref()
    }
  }

  /** Ends the thread and its work. */
  async close(): Promise<void> {
    await this.#worker?.terminate()
  }

  #start(): Worker {
    // Flags of the process, such as those of a debugger, must not reach the thread.
    const worker = new Worker(new URL('hashing-thread.worker.ts', import.meta.url), { execArgv: [] })
    worker.on('message', (result: Result) => {
      if ('error' in result) this.#asked?.reject(new Error(result.error))
      else this.#asked?.resolve(result.value)
    })
    worker.on('error', (error) => this.#asked?.reject(error))
    worker.on('exit', () => {
      this.#worker = undefined
      this.#asked?.reject(new Error('the hashing thread has ended'))
    })
    return worker
  }
}
