import type { Actor } from '../actor.ts'
import { invalidField } from '../errors.ts'
import { OutOfMemory, ThreadPool } from '../threads/thread-pool.ts'
import { MAX_NESTING, tooManyMentions } from './mentions.ts'
import type { Refusal, Rendered, Task } from './render.ts'

/** The longest text in characters. */
export const MAX_MARKDOWN = 50_000

/** A normal text takes a millisecond, one of the greatest length about 50: only a thread that hangs takes so long. */
const TIME_LIMIT_MS = 10_000
/** The memory of a thread; a text that needs more is refused. */
const MEMORY_MB = 128

interface Options {
  readonly threads?: number
  /** How many texts can wait for a thread. */
  readonly waiting?: number
  /** The longest time for one text. */
  readonly timeLimitMs?: number
}

/** Whose text it is: projects take turns at the threads, and so do the writers of a project. */
export interface Writer {
  readonly projectId: string
  readonly actor: Actor
}

/**
 * Renders Markdown and sanitizes the HTML, in separate threads: once, when a text is written. Areas store the HTML with the
 * text.
 */
export class Markdown {
  readonly #threads: ThreadPool<Task, Rendered | Refusal>

  constructor({ threads = 2, waiting = 100, timeLimitMs = TIME_LIMIT_MS }: Options = {}) {
    this.#threads = new ThreadPool({
      module: new URL('markdown.worker.ts', import.meta.url),
      ...{ threads, waiting, timeLimitMs, memoryMb: MEMORY_MB },
      perProject: Math.max(1, threads - 1),
      busy: 'Too many texts are being rendered now',
    })
  }

  /**
   * Renders Markdown to HTML that is safe in any page, to plain text, and to the list of mentioned members. Not to be
   * called in a transaction, because it takes time. Mentions are stored by id (mentions.ts): store `source` of the answer.
   * @param field where the text was sent, for the error
   * @throws ApiError 422 for a text that nests too deep, becomes too large or mentions too many; 503 if too many texts
   * wait
   */
  render(typed: string, writer: Writer, field = 'content'): Promise<Rendered> {
    return this.#run({ typed, keepsLabels: false }, writer, field)
  }

  /** The same for a text of the team, which is stored and shown as it was typed. @throws ApiError as `render` */
  renderTyped(typed: string, writer: Writer, field = 'content'): Promise<Rendered> {
    return this.#run({ typed, keepsLabels: true }, writer, field)
  }

  async #run(task: Task, { projectId, actor }: Writer, field: string): Promise<Rendered> {
    const caller = ('id' in actor ? actor.id : undefined) ?? actor.kind
    const outcome = await this.#threads.run(task, { projectId, caller }).catch((error: unknown) => {
      if (error instanceof OutOfMemory) return 'too much' as const
      throw error
    })
    if (outcome === 'too deep')
      throw invalidField(field, 'nesting', `must not nest deeper than ${MAX_NESTING} levels`)
    if (outcome === 'too much')
      throw invalidField(field, 'markdown', 'has too much markup: use less of it, or split the text')
    if (outcome === 'too many mentions') throw tooManyMentions(field)
    return outcome
  }

  /** Ends the threads. */
  async close(): Promise<void> {
    await this.#threads.close()
  }
}
