import type { ProjectData } from '#platform/db/tenant.ts'
import { type LogRow, lastPosition, readLog } from '../queries.ts'
import { Audience } from './audience.ts'
import type { OpenStream } from './open-stream.ts'
import { type TellParts, tellPage } from './tell-page.ts'

/** Rows that are read at a time. */
const PAGE = 100
/** Milliseconds between two readings of the log, at the least: what arrives meanwhile is read together. */
const APART_MS = 15
/** Milliseconds after a reading that failed. */
const FAULT_MS = 500

export interface ReaderParts extends TellParts {
  readonly data: ProjectData
  readonly onFault: (error: unknown) => void
}

/** Reads the log of one project for all streams of this process: each row once. */
export class ProjectReader {
  readonly #parts: ReaderParts
  /** Streams that have been told all up to `position`. */
  readonly #live = new Audience()
  /** Streams that came while a page was prepared for the others. They have been told all before it. */
  #late = new Audience()
  #isTelling = false
  /** The last number that was told. */
  #position: number
  #isWoken = false
  #reading: Promise<void> | undefined
  #isClosed = false

  constructor(parts: ReaderParts, position: number) {
    this.#parts = parts
    this.#position = position
  }

  get position(): number {
    return this.#position
  }

  get streams(): ReadonlySet<OpenStream> {
    return this.#live.streams
  }

  /** Reads what is new. Called when something may be. */
  wake(): void {
    this.#isWoken = true
    this.#reading ??= this.#run().finally(() => {
      this.#reading = undefined
      if (this.#isWoken && !this.#isClosed) this.wake()
    })
  }

  /**
   * Tells a stream what it has missed, and from then on what happens. A page that is being prepared for the others was
   * prepared without it: it is told that page behind them.
   */
  async join(stream: OpenStream): Promise<void> {
    while (!stream.isOver && !this.#isClosed && stream.position < this.#position) {
      const upTo = this.#position
      const rows = await this.#read(stream.position, upTo, stream.topics.patterns.length > 0)
      await this.#tell(rows, Audience.of(stream), upTo)
      // Nobody is told faster than they read.
      await stream.drained()
    }
    if (!stream.isOver) (this.#isTelling ? this.#late : this.#live).add(stream)
  }

  leave(stream: OpenStream): void {
    this.#live.delete(stream)
    this.#late.delete(stream)
  }

  close(): void {
    this.#isClosed = true
    this.#isWoken = false
  }

  async #run(): Promise<void> {
    while (this.#isWoken && !this.#isClosed) {
      this.#isWoken = false
      try {
        while (await this.#readNext());
        await pause(APART_MS)
      } catch (error) {
        this.#parts.onFault(error)
        this.#isWoken = true
        await pause(FAULT_MS)
      }
    }
  }

  /** @returns whether there may be more */
  async #readNext(): Promise<boolean> {
    this.#isTelling = true
    try {
      const from = this.#position
      const payloads = this.#live.wantsPayloads
      const rows = await this.#read(from, null, payloads)
      const last = rows.at(-1)?.position
      if (last === undefined) return await this.#lookBack(from)
      if (rows[0]?.position !== from + 1) return await this.#restart()
      await this.#tell(rows, this.#live, last, () => {
        this.#position = last
      })
      await this.#tellLate(from, payloads ? rows : undefined, rows)
      return rows.length === PAGE
    } finally {
      this.#isTelling = false
      for (const stream of this.#takeLate().streams) this.#live.add(stream)
    }
  }

  /** @param from the number up to which they have been told all */
  async #tellLate(from: number, withPayloads: LogRow[] | undefined, rows: LogRow[]): Promise<void> {
    const late = this.#takeLate()
    if (late.streams.size === 0) return
    try {
      const upTo = this.#position
      const seen = late.wantsPayloads ? (withPayloads ?? (await this.#read(from, upTo, true))) : rows
      await this.#tell(seen, late, upTo)
      for (const stream of late.streams) this.#live.add(stream)
    } catch (error) {
      // They resume where they are.
      for (const stream of [...late.streams]) stream.cut()
      throw error
    }
  }

  #takeLate(): Audience {
    const late = this.#late
    this.#late = new Audience()
    return late
  }

  /** Nothing waits between `onTold` and the last write. @param last the number of the last row, or of what is known by then */
  async #tell(
    rows: readonly LogRow[],
    audience: Audience,
    upTo: number,
    onTold: () => void = () => undefined,
  ): Promise<void> {
    const sendings = await tellPage(this.#parts, this.#parts.data, rows, audience)
    if (this.#isClosed) return
    onTold()
    const last = rows.length === PAGE ? (rows.at(-1)?.position ?? upTo) : upTo
    for (const stream of audience.streams) stream.position = Math.max(stream.position, last)
    for (const [stream, texts] of sendings)
      stream.write(texts.length === 1 ? (texts[0] as Buffer) : Buffer.concat(texts))
  }

  #read(after: number, upTo: number | null, payloads: boolean): Promise<LogRow[]> {
    return this.#parts.data
      .read({ rows: readLog({ after, upTo, limit: PAGE, payloads }) })
      .then(({ rows }) => rows)
  }

  /** A database that was restored may be behind what was told. */
  async #lookBack(from: number): Promise<boolean> {
    const { last = 0 } = await this.#parts.data.read({ last: lastPosition() })
    return last < from ? this.#restart() : false
  }

  /** What follows the last number is gone: every stream is told so. */
  async #restart(): Promise<boolean> {
    const { last = 0 } = await this.#parts.data.read({ last: lastPosition() })
    this.#position = last
    for (const stream of this.#live.streams) stream.reset(last)
    return false
  }
}

const pause = (milliseconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, milliseconds).unref())
