import { Worker } from 'node:worker_threads'
import { type SamlAnswer, SamlFault, type SamlParty, SamlRefusal, type SamlSecrets } from './saml.ts'

/** A request to the thread. */
export interface SamlTask {
  readonly party: SamlParty
  readonly text: string
  readonly secrets: SamlSecrets
}

/** An answer of the thread. */
export type SamlReply =
  | { readonly is: 'ready' }
  | { readonly is: 'read'; readonly answer: SamlAnswer }
  | { readonly is: 'refused' | 'faulty'; readonly message: string }

/** A normal answer takes some milliseconds. */
const TIME_LIMIT_MS = 2_000
/** The number of answers that can wait. */
const MOST_WAITING = 50
/** An answer that needs more memory is refused. */
const MEMORY_MB = 128

/**
 * Reads answers of SAML providers in its own thread, one after the other, in bounded time. Anybody can send XML;
 * parsing it and checking its signatures must not delay the requests of others.
 */
export class SamlThread {
  readonly #timeLimitMs: number
  #running: { worker: Worker; ready: Promise<void> } | undefined
  #asked: PromiseWithResolvers<SamlReply> | undefined
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0

  /** @param timeLimitMs the longest time for one answer */
  constructor(timeLimitMs = TIME_LIMIT_MS) {
    this.#timeLimitMs = timeLimitMs
  }

  /**
   * Reads an answer.
   * @throws SamlRefusal, SamlFault; also if it takes too long or too many answers wait
   */
  async read(task: SamlTask): Promise<SamlAnswer> {
    if (this.#waiting >= MOST_WAITING) throw new SamlFault('too many answers are being read')
    this.#waiting += 1
    const turn = this.#last.then(() => this.#ask(task))
    this.#last = turn.catch(() => undefined)
    const reply = await turn.finally(() => {
      this.#waiting -= 1
    })
    if (reply.is === 'read') return reply.answer
    if (reply.is === 'refused') throw new SamlRefusal(reply.message)
    throw new SamlFault(reply.is === 'faulty' ? reply.message : 'the answer was not read')
  }

  /** Ends the thread and its work. */
  async close(): Promise<void> {
    await this.#running?.worker.terminate()
  }

  async #ask(task: SamlTask): Promise<SamlReply> {
    this.#running ??= this.#start()
    const { worker, ready } = this.#running
    worker.ref()
    const asked = Promise.withResolvers<SamlReply>()
    let clock: NodeJS.Timeout | undefined
    try {
      // The time limit starts when the thread has started.
      await ready
      this.#asked = asked
      clock = setTimeout(() => this.#giveUp(worker, asked), this.#timeLimitMs)
      worker.postMessage(task)
      return await asked.promise
    } finally {
      clearTimeout(clock)
      worker.unref()
    }
  }

  #giveUp(worker: Worker, asked: PromiseWithResolvers<SamlReply>): void {
    this.#running = undefined
    asked.resolve({ is: 'faulty', message: 'the answer takes too long to read' })
    worker.terminate().catch(() => {})
  }

  #start() {
    // Flags of the process, such as those of a debugger, must not reach the thread.
    const worker = new Worker(new URL('saml-thread.worker.ts', import.meta.url), {
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    })
    const { promise: ready, resolve, reject } = Promise.withResolvers<void>()
    const fail = (error: Error) => {
      reject(error)
      if (this.#running?.worker !== worker) return
      this.#running = undefined
      this.#asked?.resolve({ is: 'faulty', message: error.message })
    }
    worker.on('message', (reply: SamlReply) => {
      if (reply.is === 'ready') resolve()
      else this.#asked?.resolve(reply)
    })
    worker.on('error', fail)
    worker.on('exit', () => fail(new Error('the thread that reads SAML has ended')))
    return { worker, ready }
  }
}
