import { ApiError, invalidField } from '../errors.ts'
import { MAX_NESTING } from './nesting.ts'
import type { Rendered } from './render.ts'
import { RenderingThread } from './rendering-thread.ts'

/** The longest text in characters. */
export const MAX_MARKDOWN = 50_000

/** A normal text takes a millisecond, one of the greatest length about 50. */
const TIME_LIMIT_MS = 1_000

interface Options {
  readonly threads?: number
  /** How many texts can wait for a thread. */
  readonly waiting?: number
  /** The longest time for one text. */
  readonly timeLimitMs?: number
}

/**
 * Renders Markdown and sanitizes the HTML, in separate threads and in bounded time: once, when a text is written. Areas
 * store the HTML with the text. A bounded number of texts can wait.
 */
export class Markdown {
  readonly #threads: readonly RenderingThread[]
  readonly #idle: RenderingThread[]
  readonly #waiting: ((thread: RenderingThread) => void)[] = []
  readonly #waitingLimit: number

  constructor({ threads = 2, waiting = 100, timeLimitMs = TIME_LIMIT_MS }: Options = {}) {
    this.#threads = Array.from({ length: threads }, () => new RenderingThread(timeLimitMs))
    this.#idle = [...this.#threads]
    this.#waitingLimit = waiting
  }

  /**
   * Renders Markdown to HTML that is safe in any page, to plain text, and to the list of mentioned members. Not to be
   * called in a transaction, because it takes time.
   * @param field where the text was sent, for the error
   * @throws ApiError 422 for a text that nests too deep or takes too long; 503 if too many texts wait
   */
  async render(source: string, field = 'content'): Promise<Rendered> {
    const thread = this.#idle.pop() ?? (await this.#turn())
    try {
      const outcome = await thread.render(source)
      if (outcome === 'too deep')
        throw invalidField(field, 'nesting', `must not nest deeper than ${MAX_NESTING} levels`)
      if (outcome === 'too much')
        throw invalidField(field, 'markdown', 'takes too long to render: use less markup, or split the text')
      return outcome
    } finally {
      const next = this.#waiting.shift()
      // The next waiting text gets the thread.
      if (next) next(thread)
      else this.#idle.push(thread)
    }
  }

  /** Ends the threads. */
  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()))
  }

  #turn(): Promise<RenderingThread> {
    if (this.#waiting.length >= this.#waitingLimit) throw overloaded()
    return new Promise((resolve) => this.#waiting.push(resolve))
  }
}

const overloaded = () =>
  new ApiError(503, 'UNAVAILABLE', 'Too many texts are being rendered now: try again', {
    headers: { 'retry-after': '2' },
  })
