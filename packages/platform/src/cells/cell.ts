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
/** Of them those of one project: one that is used slowly holds no others of its cell. */
const PART_OF_A_PROJECT = 0.5
const MOST_QUESTIONS = 32
const QUESTION_MS = 2_000
/** Bytes of an answer to a question. */
const LONGEST_ANSWER = 2 ** 20
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
  readonly #requestsOf = new Counts()
  readonly #streamsOf = new Counts()
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

  /** Takes a place for a request of a project; undefined where there is none, or where the cell could not be reached a moment ago. */
  take(projectId: string): Slot | undefined {
    const isFull =
      this.#requests >= MOST_REQUESTS || this.#requestsOf.get(projectId) >= MOST_REQUESTS * PART_OF_A_PROJECT
    if (isFull || performance.now() < this.#restsUntil) return undefined
    const move = (requests: number, streams: number) => {
      this.#requests += requests
      this.#requestsOf.add(projectId, requests)
      this.#streams += streams
      this.#streamsOf.add(projectId, streams)
    }
    move(1, 0)
    let isStream = false
    let isOver = false
    return {
      becomesStream: () => {
        if (
          this.#streams >= MOST_STREAMS ||
          this.#streamsOf.get(projectId) >= MOST_STREAMS * PART_OF_A_PROJECT
        )
          return false
        isStream = true
        move(-1, 1)
        return true
      },
      release: () => {
        if (isOver) return
        isOver = true
        if (isStream) move(0, -1)
        else move(-1, 0)
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
    const { project_id: id } = (await this.#get(path)) as { project_id?: unknown }
    return typeof id === 'string' && UUID.test(id) ? id : undefined
  }

  /** The public keys of its tokens, which are asked for once a minute; those of before while it is away. */
  async publicKeys(): Promise<readonly JWK[]> {
    if (performance.now() - this.#keysAt < PUBLIC_KEYS_MS) return this.#publicKeys
    this.#keysAt = performance.now()
    this.#publicKeys = await this.#get('/.well-known/jwks.json').then(keysIn, () => this.#publicKeys)
    return this.#publicKeys
  }

  async #get(path: string): Promise<object> {
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
      const text = await textOf(body)
      if (statusCode !== 200) throw new Error(`${this.name} answered ${statusCode}`)
      const answer: unknown = JSON.parse(text)
      if (typeof answer !== 'object' || answer === null) throw new Error(`${this.name} answered no object`)
      return answer
    } catch (error) {
      if (isUnreachable(error)) this.isAway()
      throw error
    } finally {
      this.#questions -= 1
    }
  }

  /** Breaks off what is under way: whoever waits for it is answered 503. */
  close(): Promise<void> {
    return this.#pool.destroy()
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** @throws Error for an answer that is too long to be one */
async function textOf(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > LONGEST_ANSWER) throw new Error('the answer of another cell is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** The keys of a set, with what verifies tokens alone. */
function keysIn(answer: object): JWK[] {
  const { keys } = answer as { keys?: unknown }
  if (!Array.isArray(keys)) return []
  return keys.flatMap((key: unknown) => {
    const { kid, kty, crv, x, y } = (key ?? {}) as Record<string, unknown>
    const isKey = [kid, x, y].every((part) => typeof part === 'string') && kty === 'EC' && crv === 'P-256'
    return isKey ? [{ kid, kty, crv, x, y, alg: 'ES256', use: 'sig' } as JWK] : []
  })
}

/** Numbers by name; those that are 0 are forgotten. */
class Counts {
  readonly #counts = new Map<string, number>()

  get(name: string): number {
    return this.#counts.get(name) ?? 0
  }

  add(name: string, change: number): void {
    const count = this.get(name) + change
    if (count > 0) this.#counts.set(name, count)
    else this.#counts.delete(name)
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
