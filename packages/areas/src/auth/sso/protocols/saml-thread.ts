import { Worker } from 'node:worker_threads'
import { type SamlAnswer, SamlFault, type SamlParty, SamlRefusal, type SamlSecrets } from './saml.ts'

/** What the thread is asked. */
export interface SamlTask {
  readonly party: SamlParty
  readonly text: string
  readonly secrets: SamlSecrets
}

/** What it says. */
export type SamlReply =
  | { readonly is: 'ready' }
  | { readonly is: 'read'; readonly answer: SamlAnswer }
  | { readonly is: 'refused' | 'faulty'; readonly message: string }

/** A usual answer takes some milliseconds. */
const TIME_LIMIT_MS = 2_000
/** Answers that may wait for those before them. */
const MOST_WAITING = 50
/** What needs more is as good as endless. */
const MEMORY_MB = 128

/**
 * Reads answers of SAML providers in a thread of its own, one after the other, in bounded time: parsing, canonical forms
 * and signatures of XML that anybody may send never keep this thread from serving others.
 */
export class SamlThread {
  readonly #timeLimitMs: number
  #running: { worker: Worker; ready: Promise<void> } | undefined
  #asked: PromiseWithResolvers<SamlReply> | undefined
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0

  /** @param timeLimitMs how long one answer may take */
  constructor(timeLimitMs = TIME_LIMIT_MS) {
    this.#timeLimitMs = timeLimitMs
  }

  /**
   * What an answer says.
   * @throws SamlRefusal, SamlFault, also where it takes too long or too many wait
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

  /** Ends it, and what it works on. */
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
      // What the thread needs to start is not the answer's fault.
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
    // The flags of the process, such as those of a debugger, are not for it.
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
