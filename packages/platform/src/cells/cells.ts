import type { JWK } from 'jose'
import { LRUCache } from 'lru-cache'
import type { Pool } from 'pg'
import { Counter, type Registry } from 'prom-client'
import type { ChangeFeed } from '../change-feed.ts'
import { ApiError } from '../errors.ts'
import { makeProjectBox } from '../secrets/project-box.ts'
import type { SecretKeys } from '../secrets/secret-keys.ts'
import type { Log } from '../telemetry/log.ts'
import { throttledWarn } from '../telemetry/throttled-warn.ts'
import { Cell } from './cell.ts'
import { CELLS_PURPOSE, cellKeysOf } from './cell-secret.ts'
import { type Forwarded, keyIdIn, readForwardHeader, type SignedRequest } from './forward-header.ts'

/** What one cell asks another about: the hash of a key in hex, or a stored id. */
export const LOCATED = ['key', 'project', 'connection', 'account'] as const
export type Located = (typeof LOCATED)[number]

/** Where another cell answers such questions. */
export const LOCATE_PATH = '/cells/locate'

/** Milliseconds for which another cell is believed that something is there. A wrong belief costs one request, which is refused there. */
const FOUND_MS = 60_000
const NOT_FOUND_MS = 5_000
const ANSWERS_KEPT = 20_000
/** Milliseconds between two readings of the cells while one is not known. */
const READ_AGAIN_MS = 1_000

interface Options {
  /** Logs in as guildhall_keys. */
  readonly pool: Pool
  readonly feed: ChangeFeed
  readonly secretKeys: SecretKeys
  readonly log: Log
  readonly registry: Registry
}

interface Row {
  readonly name: string
  readonly url: string
  readonly secret: Buffer
}

/** A project that another cell has. */
export interface Place {
  readonly projectId: string
  readonly cell: string
}

/** The other cells, in memory under the change feed. */
export class Cells {
  readonly #options: Options
  readonly #warn: (error: unknown) => void
  #cells: ReadonlyMap<string, Cell> = new Map()
  #reading: Promise<void> | undefined
  #readAt = Number.NEGATIVE_INFINITY
  readonly #answers = new LRUCache<string, { readonly place: Place | undefined }>({ max: ANSWERS_KEPT })
  readonly #asking = new Map<string, Promise<Place | undefined>>()
  /** Where projects were found that have moved on since they left: only their next cell is noted here. */
  readonly #movedOn = new LRUCache<string, string>({ max: ANSWERS_KEPT })
  readonly #forwarded: Counter<'cell' | 'outcome'>

  constructor(options: Options) {
    this.#options = options
    this.#warn = throttledWarn(options.log, 'the other cells could not be read')
    this.#forwarded = new Counter({
      name: 'guildhall_forwarded_requests_total',
      help: 'Requests that were forwarded to another cell, by what came of them: answered, refused, failed, full, aborted',
      labelNames: ['cell', 'outcome'] as const,
      registers: [options.registry],
    })
    const read = () => void this.#readSoon()
    options.feed.listen('guildhall_project_states', { onChange: read, onGap: read })
  }

  /** Whether there are other cells. */
  get areThere(): boolean {
    return this.#cells.size > 0
  }

  /** The names of all of them. */
  get names(): readonly string[] {
    return [...this.#cells.keys()]
  }

  /** @throws ApiError 503 for a cell that this process does not know */
  async get(name: string): Promise<Cell> {
    const known = this.#cells.get(name) ?? (await this.#readAgain())?.get(name)
    if (known === undefined) throw cellUnavailable()
    return known
  }

  /** For whom another cell forwards a request, and which cell; undefined where the header is not one of a cell's. */
  async read(
    request: SignedRequest,
    header: string,
  ): Promise<(Forwarded & { readonly cell: string }) | undefined> {
    const id = keyIdIn(header)
    const byId = () => [...this.#cells.values()].find((cell) => cell.keys.id === id)
    const cell = byId() ?? ((await this.#readAgain()) && byId())
    const forwarded = cell && readForwardHeader(cell.keys, request, header)
    return forwarded && { ...forwarded, cell: cell.name }
  }

  /** Counts a request that was forwarded. */
  count(cell: string, outcome: 'answered' | 'refused' | 'failed' | 'full' | 'aborted'): void {
    this.#forwarded.inc({ cell, outcome })
  }

  /**
   * Asks the other cells for something that is not here. All who ask for the same at the same time share one question.
   * @returns the project that has it; undefined where no cell has it
   * @throws ApiError 503 where a cell cannot be asked, and no other has it
   */
  async locate(kind: Located, id: string): Promise<Place | undefined> {
    if (!this.areThere) return undefined
    const question = `${kind} ${id}`
    const known = this.#answers.get(question)
    if (known !== undefined) return known.place
    const asking =
      this.#asking.get(question) ?? this.#ask(kind, id).finally(() => this.#asking.delete(question))
    this.#asking.set(question, asking)
    return asking
  }

  /** The public keys of cells, by their names; a cell that is away is left out. */
  async publicKeysOf(names: Iterable<string>): Promise<readonly JWK[]> {
    const cells = [...names].flatMap((name) => this.#cells.get(name) ?? [])
    return (await Promise.all(cells.map((cell) => cell.publicKeys()))).flat()
  }

  /** The cell to which requests of a project go. @param noted the one to which it moved from here */
  placeOf(projectId: string, noted: string): string {
    return this.#movedOn.get(projectId) ?? noted
  }

  /** Looks for a project anew: the cell that should have it may have it no longer. */
  async lookAgain(projectId: string): Promise<void> {
    for (const [question, { place }] of this.#answers.entries())
      if (place?.projectId === projectId) this.#answers.delete(question)
    const place = await this.locate('project', projectId).catch(() => undefined)
    if (place !== undefined) this.#movedOn.set(projectId, place.cell)
  }

  async close(): Promise<void> {
    await this.#reading
    await Promise.all([...this.#cells.values()].map((cell) => cell.close()))
  }

  async #ask(kind: Located, id: string): Promise<Place | undefined> {
    const asked = await Promise.allSettled(
      [...this.#cells.values()].map(async (cell) => {
        const projectId = await cell.ask(`${LOCATE_PATH}?kind=${kind}&id=${encodeURIComponent(id)}`)
        return projectId === undefined ? undefined : { projectId, cell: cell.name }
      }),
    )
    const place = asked.flatMap((each) => (each.status === 'fulfilled' ? (each.value ?? []) : []))[0]
    if (place === undefined && asked.some(({ status }) => status === 'rejected')) throw cellUnavailable()
    this.#answers.set(`${kind} ${id}`, { place }, { ttl: place === undefined ? NOT_FOUND_MS : FOUND_MS })
    return place
  }

  async #readAgain(): Promise<ReadonlyMap<string, Cell> | undefined> {
    if (this.#reading === undefined && performance.now() - this.#readAt < READ_AGAIN_MS) return undefined
    await this.#readSoon()
    return this.#cells
  }

  /** Readings follow each other, so that the last one is of after the last change. */
  #readSoon(): Promise<void> {
    const reading = (this.#reading ?? Promise.resolve()).then(() => this.#read()).catch(this.#warn)
    this.#reading = reading
    return reading.finally(() => {
      if (this.#reading === reading) this.#reading = undefined
    })
  }

  async #read(): Promise<void> {
    const { pool, secretKeys, log } = this.#options
    this.#readAt = performance.now()
    const { rows } = await pool.query<Row>('select name, url, secret from cells')
    const box = makeProjectBox(secretKeys, CELLS_PURPOSE)
    const before = this.#cells
    const cells = new Map<string, Cell>()
    for (const { name, url, secret } of rows) {
      try {
        const keys = cellKeysOf(box.open(secret, name))
        const known = before.get(name)
        cells.set(name, known?.url === url && known.keys.id === keys.id ? known : new Cell(name, url, keys))
      } catch (error) {
        log.error({ err: error, cell: name }, 'the secret of a cell cannot be opened')
      }
    }
    this.#cells = cells
    this.#answers.clear()
    this.#movedOn.clear()
    for (const cell of before.values()) if (cells.get(cell.name) !== cell) void cell.close().catch(this.#warn)
  }
}

/** 503, for what is in another cell that does not answer. */
export const cellUnavailable = (cause?: unknown) =>
  new ApiError(
    503,
    'CELL_UNAVAILABLE',
    'The installation in which this project lives cannot be reached now: try again',
    { headers: { 'retry-after': '2' }, cause },
  )
