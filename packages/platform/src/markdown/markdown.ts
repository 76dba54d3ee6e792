import { ApiError, invalidField } from '../errors.ts'
import { MAX_NESTING, type Rendered } from './render.ts'
import { RenderingThread } from './rendering-thread.ts'

/** Characters of a text at the most. */
export const MAX_MARKDOWN = 50_000

/** A usual text takes a millisecond, one of the greatest length some 50. */
const TIME_LIMIT_MS = 1_000

interface Options {
  readonly threads?: number
  /** How many texts may wait for a thread. */
  readonly waiting?: number
  /** How long one text may take. */
  readonly timeLimitMs?: number
}

/**
 * Renders Markdown and sanitizes what comes out, in threads of their own and in bounded time: once, when a text is
 * written. Areas keep the HTML beside the text. A bounded number of texts waits.
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
   * Markdown as HTML that is safe in any page, as plain text, and whom it mentions. Never inside a transaction.
   * @param field where the text was sent, for the error
   * @throws ApiError 422 for a text that nests too deep or takes too long; 503 where too many wait
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
      // Whoever is next takes it over.
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
