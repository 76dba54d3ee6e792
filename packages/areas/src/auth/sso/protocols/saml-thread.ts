import { ApiError } from '#platform/errors.ts'
import { ThreadPool } from '#platform/threads/thread-pool.ts'
import { type SamlAnswer, SamlFault, type SamlParty, SamlRefusal, type SamlSecrets } from './saml.ts'

/** A request to the thread. */
export interface SamlTask {
  readonly party: SamlParty
  readonly text: string
  readonly secrets: SamlSecrets
}

/** An answer of the thread. */
export type SamlReply =
  | { readonly is: 'read'; readonly answer: SamlAnswer }
  | { readonly is: 'refused' | 'faulty'; readonly message: string }

/** A normal answer takes some milliseconds, the first one loads the libraries. */
const TIME_LIMIT_MS = 5_000
/** The number of answers that can wait. */
const MOST_WAITING = 50
/** An answer that needs more memory is refused. */
const MEMORY_MB = 128

/**
 * Reads answers of SAML providers in its own thread, in bounded time. Anybody can send XML; parsing it and checking its
 * signatures must not delay the requests of others. Projects take turns.
 */
export class SamlThread {
  readonly #thread: ThreadPool<SamlTask, SamlReply>

  /** @param timeLimitMs the longest time for one answer */
  constructor(timeLimitMs = TIME_LIMIT_MS) {
    this.#thread = new ThreadPool({
      module: new URL('saml.worker.ts', import.meta.url),
      ...{ threads: 1, waiting: MOST_WAITING, timeLimitMs, memoryMb: MEMORY_MB },
      busy: 'Too many answers are being read now',
    })
  }

  /**
   * Reads an answer.
   * @throws SamlRefusal, SamlFault; also if it takes too long or too many answers wait
   */
  async read(task: SamlTask, projectId: string): Promise<SamlAnswer> {
    const reply = await this.#thread.run(task, { projectId }).catch((error: Error) => {
      throw new SamlFault(error instanceof ApiError ? 'the answer could not be read in time' : error.message)
    })
    if (reply.is === 'read') return reply.answer
    if (reply.is === 'refused') throw new SamlRefusal(reply.message)
    throw new SamlFault(reply.message)
  }

  /** Ends the thread and its work. */
  async close(): Promise<void> {
    await this.#thread.close()
  }
}
