import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ProjectData } from '#platform/db/tenant.ts'
import { type LogRow, lastPosition, readLog } from '../queries.ts'
import { Audience } from './audience.ts'
import type { OpenStream } from './open-stream.ts'
import { type PublishParts, publishPage, type Sendings } from './publish-page.ts'

/** Rows that are read at a time: ids alone, or with the data of events, which can be long. */
const PAGE = { ids: 500, payloads: 100 }
/** Milliseconds between two readings of the log, at the least: what arrives meanwhile is read together. */
const APART_MS = 15
/** Milliseconds for which streams are written to in one turn of the event loop; then other requests have theirs. */
const SLICE_MS = 4
/** Milliseconds after a reading that failed. */
const FAULT_MS = 500

export interface ReaderParts extends PublishParts {
  readonly data: ProjectData
  readonly onFault: (error: unknown) => void
}

/** Some rows of the log. */
interface Page {
  readonly rows: readonly LogRow[]
  /** Whether they have the data of events. */
  readonly payloads: boolean
  /** Whether there may be more. */
  readonly isFull: boolean
  /** The number up to which there is no other row. */
  readonly last: number
}

/** Reads the log of one project for all streams of this process: each row once. */
export class ProjectReader {
  readonly #parts: ReaderParts
  /** Streams that were sent all up to `position`. */
  readonly #live = new Audience()
  /** Streams that came while a page was prepared for the others. They were sent all before it. */
  #late = new Audience()
  #isSending = false
  /** What follows the page that is being sent, where that is full: it is read meanwhile. */
  #ahead: { readonly after: number; readonly page: Promise<Page> } | undefined
  /** The last number that was sent. */
  #position: number
  #isWanted = false
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
  readSoon(): void {
    this.#isWanted = true
    this.#reading ??= this.#run().finally(() => {
      this.#reading = undefined
      if (this.#isWanted && !this.#isClosed) this.readSoon()
    })
  }

  /**
   * Sends a stream what it has missed, and from then on what happens. A page that is being prepared for the others was
   * prepared without it: it is sent that page behind them.
   */
  async join(stream: OpenStream): Promise<void> {
    while (!stream.isOver && !this.#isClosed && stream.position < this.#position) {
      const page = await this.#read(stream.position, this.#position, stream.topics.patterns.length > 0)
      await this.#send(page, Audience.of(stream))
      // Nobody is sent more than they read.
      await stream.drained()
    }
    if (!stream.isOver) (this.#isSending ? this.#late : this.#live).add(stream)
  }

  leave(stream: OpenStream): void {
    this.#live.delete(stream)
    this.#late.delete(stream)
  }

  close(): void {
    this.#isClosed = true
    this.#isWanted = false
  }

  async #run(): Promise<void> {
    while (this.#isWanted && !this.#isClosed) {
      this.#isWanted = false
      try {
        while (await this.#readNext());
        await pause(APART_MS)
      } catch (error) {
        this.#parts.onFault(error)
        this.#isWanted = true
        await pause(FAULT_MS)
      }
    }
  }

  /** @returns whether there may be more */
  async #readNext(): Promise<boolean> {
    this.#isSending = true
    try {
      const from = this.#position
      const page = await this.#readBehind(from)
      const last = page.rows.at(-1)?.position
      if (last === undefined) return await this.#lookBack(from)
      if (page.rows[0]?.position !== from + 1) return await this.#restart()
      const sent = { ...page, last }
      if (page.isFull) this.#readAhead(last)
      await this.#send(sent, this.#live, () => {
        this.#position = last
      })
      await this.#sendToLate(sent)
      return page.isFull
    } finally {
      this.#isSending = false
      for (const stream of this.#takeLate().streams) this.#live.add(stream)
    }
  }

  /** Sends those who came late what the others were sent. */
  async #sendToLate(page: Page): Promise<void> {
    const late = this.#takeLate()
    const { streams } = late
    if (streams.size === 0) return
    try {
      // The data of events may be missing in this page.
      if (late.wantsPayloads && !page.payloads) await Promise.all([...streams].map((each) => this.join(each)))
      else {
        await this.#send(page, late)
        for (const stream of streams) this.#live.add(stream)
      }
    } catch (error) {
      // They resume where they are.
      for (const stream of [...streams]) stream.cut()
      throw error
    }
  }

  #takeLate(): Audience {
    const late = this.#late
    this.#late = new Audience()
    return late
  }

  /**
   * A stream that joins after `beforeWriting` has read the page by itself. Until its own texts are written, a stream is at its
   * position before them, from which its client resumes.
   */
  async #send(
    { rows, last }: Page,
    audience: Audience,
    beforeWriting: () => void = () => undefined,
  ): Promise<void> {
    const sendings = await publishPage(this.#parts, this.#parts.data, rows, audience)
    if (this.#isClosed) return
    beforeWriting()
    for (const stream of audience.streams) if (!sendings.has(stream)) advance(stream, last)
    await write(sendings, last)
  }

  /** The next rows for all streams. */
  async #readBehind(from: number): Promise<Page> {
    const ahead = this.#ahead
    this.#ahead = undefined
    const page = ahead?.after === from ? await ahead.page : undefined
    const payloads = this.#live.wantsPayloads
    return page === undefined || (payloads && !page.payloads)
      ? this.#read(from, Number.MAX_SAFE_INTEGER, payloads)
      : page
  }

  #readAhead(after: number): void {
    const page = this.#read(after, Number.MAX_SAFE_INTEGER, this.#live.wantsPayloads)
    // Whoever waits for it gets the error, too.
    page.catch(() => undefined)
    this.#ahead = { after, page }
  }

  async #read(after: number, upTo: number, payloads: boolean): Promise<Page> {
    const limit = payloads ? PAGE.payloads : PAGE.ids
    const { rows } = await this.#parts.data.read({ rows: readLog({ after, upTo, limit, payloads }) })
    const isFull = rows.length === limit
    return { rows, payloads, isFull, last: isFull ? (rows.at(-1)?.position ?? upTo) : upTo }
  }

  /** A database that was restored may be behind what was sent. */
  async #lookBack(from: number): Promise<boolean> {
    const { last = 0 } = await this.#parts.data.read({ last: lastPosition() })
    return last < from ? this.#restart() : false
  }

  /** What follows the last number is gone: every stream gets that. */
  async #restart(): Promise<boolean> {
    const { last = 0 } = await this.#parts.data.read({ last: lastPosition() })
    this.#position = last
    for (const stream of this.#live.streams) stream.reset(last)
    return false
  }
}

const advance = (stream: OpenStream, position: number) => {
  stream.position = Math.max(stream.position, position)
}

/** Writes to each stream once, in slices. @param last the number up to which each of them was sent all then */
async function write(sendings: Sendings, last: number): Promise<void> {
  let until = performance.now() + SLICE_MS
  for (const [stream, texts] of sendings) {
    advance(stream, last)
    stream.write(texts.length === 1 ? (texts[0] as Buffer) : Buffer.concat(texts))
    if (performance.now() < until) continue
    await nextTurn()
    until = performance.now() + SLICE_MS
  }
}

const pause = (milliseconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, milliseconds).unref())
