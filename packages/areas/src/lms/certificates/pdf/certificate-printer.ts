import { Worker } from 'node:worker_threads'
import { ApiError } from '#platform/errors.ts'
import type { CertificatePage } from './render-certificate.ts'

/** What the thread says. */
export type Reply = { readonly pdf: Uint8Array } | { readonly error: string }

/** How many may wait for their turn. */
const WAITING = 50
/** The first one, which loads the libraries and fonts, takes a second or two. */
const TIME_LIMIT_MS = 20_000

/**
 * Makes certificates as PDF in a thread of their own, one after the other, that is started when the first one is asked
 * for: fonts and their libraries are in no other process' memory, and no request waits behind one.
 */
export class CertificatePrinter {
  #worker: Worker | undefined
  #asked: PromiseWithResolvers<Uint8Array> | undefined
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0

  /** Never inside a transaction. @throws ApiError 503 where too many wait; Error where it breaks or takes too long */
  async print(page: CertificatePage): Promise<Buffer> {
    if (this.#waiting >= WAITING)
      throw new ApiError(503, 'UNAVAILABLE', 'Too many certificates are being made now: try again', {
        headers: { 'retry-after': '5' },
      })
    this.#waiting += 1
    const printed = this.#last.then(() => this.#run(page))
    this.#last = printed.catch(() => undefined)
    try {
      return Buffer.from(await printed)
    } finally {
      this.#waiting -= 1
    }
  }

  /** Ends the thread, and what it works on. */
  async close(): Promise<void> {
    await this.#worker?.terminate()
  }

  async #run(page: CertificatePage): Promise<Uint8Array> {
    this.#worker ??= this.#start()
    const worker = this.#worker
    const asked = Promise.withResolvers<Uint8Array>()
    this.#asked = asked
    const clock = setTimeout(() => {
      asked.reject(new Error('a certificate took too long'))
      worker.terminate().catch(() => {})
    }, TIME_LIMIT_MS)
    worker.ref()
    worker.postMessage(page)
    try {
      return await asked.promise
    } finally {
      clearTimeout(clock)
      worker.unref()
    }
  }

  #start(): Worker {
    // The flags of the process, such as those of a debugger, are not for it.
    const worker = new Worker(new URL('certificate-thread.worker.ts', import.meta.url), { execArgv: [] })
    worker.on('message', (reply: Reply) => {
      if ('error' in reply) this.#asked?.reject(new Error(reply.error))
      else this.#asked?.resolve(reply.pdf)
    })
    const fail = (error: Error) => {
      if (this.#worker === worker) this.#worker = undefined
      this.#asked?.reject(error)
    }
    worker.on('error', fail)
    worker.on('exit', () => fail(new Error('the thread of certificates has ended')))
    return worker
  }
}
