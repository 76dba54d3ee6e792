import { Worker } from 'node:worker_threads'

/** What a hashing thread is asked: to make a hash, or to check one. */
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
/** What it answers. */
export type Result = { readonly value: string | boolean } | { readonly error: string }

/** A thread that does nothing but argon2id, with a low priority. It is started when it is first asked. */
export class HashingThread {
  #worker: Worker | undefined
  #asked: PromiseWithResolvers<string | boolean> | undefined

  /**
   * Has it do a task, the only one that it has. The process stays alive for that and no longer.
   * @throws Error for a hash that is none, and where the thread ends; it is started anew for the next task
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

  /** Ends it, and what it works on. */
  async close(): Promise<void> {
    await this.#worker?.terminate()
  }

  #start(): Worker {
    // The flags of the process, such as those of a debugger, are not for it.
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
