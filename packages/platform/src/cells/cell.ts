import type { JWK } from 'jose'
import { type Dispatcher, Pool } from 'undici'
import type { CellKeys } from './cell-secret.ts'
import { FORWARDED, makeForwardHeader } from './forward-header.ts'

const CONNECT_MS = 2_000
/** Milliseconds that another cell may take until it begins to answer: as long as a client waits. */
const HEADERS_MS = 60_000
/** Milliseconds without a byte. Streams send a comment each 15 seconds. */
const SILENCE_MS = 60_000
/** Requests at the same time of one process to one cell. One that is slow holds no others than its own. */
const MOST_REQUESTS = 256
/** Streams have no end. */
const MOST_STREAMS = 2_000
const MOST_QUESTIONS = 32
const QUESTION_MS = 2_000
const PUBLIC_KEYS_MS = 60_000
/** Milliseconds in which nothing is sent to a cell that could not be reached. */
const REST_MS = 1_000

/** Another cell: its address, what it is known by, and the connections to it. */
export class Cell {
  readonly name: string
  readonly url: string
  readonly keys: CellKeys
  readonly #pool: Pool
  #requests = 0
  #streams = 0
  #questions = 0
  #restsUntil = 0
  #publicKeys: readonly JWK[] = []
  #keysAt = Number.NEGATIVE_INFINITY

  constructor(name: string, url: string, keys: CellKeys) {
    this.name = name
    this.url = url
    this.keys = keys
    this.#pool = new Pool(url, {
      connect: { timeout: CONNECT_MS },
      headersTimeout: HEADERS_MS,
      bodyTimeout: SILENCE_MS,
      pipelining: 1,
    })
  }

  /** Takes a place for a request; undefined where there is none, or where the cell could not be reached a moment ago. */
  take(): Slot | undefined {
    if (this.#requests >= MOST_REQUESTS || performance.now() < this.#restsUntil) return undefined
    this.#requests += 1
    let isStream = false
    let isOver = false
    return {
      becomesStream: () => {
        if (this.#streams >= MOST_STREAMS) return false
        isStream = true
        this.#requests -= 1
        this.#streams += 1
        return true
      },
      release: () => {
        if (isOver) return
        isOver = true
        if (isStream) this.#streams -= 1
        else this.#requests -= 1
      },
    }
  }

  dispatch(options: Omit<Dispatcher.DispatchOptions, 'origin'>, handler: Dispatcher.DispatchHandler): void {
    this.#pool.dispatch(options, handler)
  }

  /** Notes that the cell could not be reached. */
  isAway(): void {
    this.#restsUntil = performance.now() + REST_MS
  }

  /**
   * Asks the cell for the project that has something.
   * @param path with its query
   * @throws Error where it does not answer
   */
  async ask(path: string): Promise<string | undefined> {
    const { project_id } = await this.#get<{ project_id?: string | null }>(path)
    return project_id ?? undefined
  }

  /** The public keys of its tokens, which are asked for once a minute; those of before while it is away. */
  async publicKeys(): Promise<readonly JWK[]> {
    if (performance.now() - this.#keysAt < PUBLIC_KEYS_MS) return this.#publicKeys
    this.#keysAt = performance.now()
    this.#publicKeys = await this.#get<{ keys: JWK[] }>('/.well-known/jwks.json').then(
      ({ keys }) => keys,
      () => this.#publicKeys,
    )
    return this.#publicKeys
  }

  async #get<T>(path: string): Promise<T> {
    if (this.#questions >= MOST_QUESTIONS || performance.now() < this.#restsUntil)
      throw new Error(`${this.name} is not asked now`)
    this.#questions += 1
    try {
      const header = makeForwardHeader(
        this.keys,
        { method: 'GET', url: path },
        { address: '0.0.0.0', projectId: undefined },
      )
      const { statusCode, body } = await this.#pool.request({
        method: 'GET',
        path,
        headers: { [FORWARDED]: header },
        signal: AbortSignal.timeout(QUESTION_MS),
      })
      const answer = (await body.json()) as T
      if (statusCode !== 200) throw new Error(`${this.name} answered ${statusCode}`)
      return answer
    } catch (error) {
      if (isUnreachable(error)) this.isAway()
      throw error
    } finally {
      this.#questions -= 1
    }
  }

  /** Lets what is under way end. */
  close(): Promise<void> {
    return this.#pool.destroy()
  }
}

/** A place of a request at another cell. */
export interface Slot {
  /** The answer is a stream, which is counted with streams. @returns false where there is no place for it */
  becomesStream(): boolean
  release(): void
}

const UNREACHABLE = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'])

/** Whether an error means that no connection could be made. */
export const isUnreachable = (error: unknown): boolean => {
  const { code = '', errors } = (error ?? {}) as { code?: string; errors?: unknown[] }
  return code === 'UND_ERR_CONNECT_TIMEOUT' || UNREACHABLE.has(code) || errors?.some(isUnreachable) === true
}
