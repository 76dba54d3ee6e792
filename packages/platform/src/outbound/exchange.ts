import type { Dispatcher } from 'undici'
import { FetchFailure } from './fetch-error.ts'

/** An answer, as far as it has come. */
export interface Answer {
  /** Undefined while there is none. */
  status: number | undefined
  headers: Record<string, string>
  readonly chunks: Buffer[]
}

/** How long, and how much of a body. */
export interface Limits {
  readonly deadlineMs: number
  /** The number of bytes of a body that are read. */
  readonly bytes: number
}

/**
 * One request, and its answer read to the end. It takes the answer as undici's parser hands it out: the streams and abort
 * signals of `request` cost more than a delivery's own work.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #limits: Limits
  readonly #answer: Answer
  readonly #outcome = Promise.withResolvers<void>()
  readonly #timer: NodeJS.Timeout
  #controller: Dispatcher.DispatchController | undefined
  #failure: Error | undefined
  #bytes = 0

  /** @param answer what comes is written here, also where it fails later */
  constructor(limits: Limits, answer: Answer) {
    this.#limits = limits
    this.#answer = answer
    // undici handles an abort only after the connection is made; the deadline does not wait for that.
    this.#timer = setTimeout(() => this.#fail(new FetchFailure('timeout')), limits.deadlineMs)
  }

  /** Sends the request. @throws the reason where there is no whole answer */
  send(dispatcher: Dispatcher, options: Dispatcher.DispatchOptions): Promise<void> {
    try {
      dispatcher.dispatch(options, this)
    } catch (error) {
      this.#fail(error as Error)
    }
    return this.#outcome.promise
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#failure) controller.abort(this.#failure)
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    // The answer comes later.
    if (status < 200 || this.#failure) return
    this.#answer.status = status
    this.#answer.headers = joined(headers)
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#failure) return
    this.#answer.chunks.push(chunk)
    this.#bytes += chunk.length
    // Stopping before the end closes the connection.
    if (this.#bytes > this.#limits.bytes) this.#fail(new FetchFailure('body_too_large'))
  }

  onResponseEnd(): void {
    clearTimeout(this.#timer)
    this.#outcome.resolve()
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(error)
  }

  #fail(error: Error): void {
    if (this.#failure) return
    this.#failure = error
    clearTimeout(this.#timer)
    this.#outcome.reject(error)
    this.#controller?.abort(error)
  }
}

function joined(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const all: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers))
    all[name] = Array.isArray(value) ? value.join(', ') : (value ?? '')
  return all
}
