import { Readable } from 'node:stream'
import type { Connection, Submittable } from 'pg'
import type { RowFormat } from '../../csv/row-writer.ts'
import type { CopyScheduler, ScheduledCopy } from './copy-scheduler.ts'

/** Bytes that go out together; of the first rows fewer, so that nobody waits for them. */
const CHUNK_BYTES = 64 * 1024
const FIRST_CHUNK_BYTES = 4 * 1024

/** Told of what is copied, for those who must know where they are in it. */
export interface CopyWatch {
  /** A row that goes into the next chunk, as COPY sends it; its bytes are valid until this returns. */
  row(row: Buffer): void
  /** So many bytes, all rows so far, have become part of the stream. */
  chunk(bytes: number): void
}

export interface CopyOptions {
  /** What is copied: one SELECT, its values in it. */
  readonly sql: string
  readonly format: RowFormat
  /** Goes out before everything else, at once. */
  readonly head?: string
  readonly watch?: CopyWatch | undefined
  /** Milliseconds that a reader may pause; PostgreSQL holds on to what is being read, and so does this process. */
  readonly stallMs: number
  /** Shared with the copies that this one must not flow beside. */
  readonly turns: CopyScheduler
}

/**
 * What `COPY (…) TO STDOUT` sends, as a stream of rows in their outgoing format. Nothing is held but a chunk: while
 * nobody reads, nothing is read from PostgreSQL, which then waits too. Ends when PostgreSQL has said that this was all;
 * what breaks off before destroys it. The transaction ends with the copy, and `copied` tells when the connection is
 * free, which is before the last bytes are read.
 */
export class CopyOut extends Readable implements Submittable, ScheduledCopy {
  /** Bytes so far. */
  taken = 0
  readonly #sql: string
  readonly #watch: CopyWatch | undefined
  readonly #format: RowFormat
  readonly #stallMs: number
  readonly #turns: CopyScheduler
  #granted = 0
  #isRead = true
  #stalled: NodeJS.Timeout | undefined
  #out = Buffer.allocUnsafe(FIRST_CHUNK_BYTES)
  #filled = 0
  /** While it is this copy's. */
  #connection: Connection | undefined

  constructor({ sql, format, head = '', watch, stallMs, turns }: CopyOptions) {
    super({ highWaterMark: 2 * CHUNK_BYTES })
    this.#sql = `copy (${sql}) to stdout (${format.copyOptions}); commit`
    this.#format = format
    this.#stallMs = stallMs
    this.#watch = watch
    this.#turns = turns
    if (head !== '') this.push(Buffer.from(head))
  }

  /** Called by the client when it is its turn at the connection. */
  submit(connection: Connection): void {
    this.#connection = connection
    connection.query(this.#sql)
    this.#turns.join(this)
  }

  grant(bytes: number): void {
    this.#granted = bytes
    this.#flow()
  }

  override _read(): void {
    clearTimeout(this.#stalled)
    this.#isRead = true
    this.#flow()
  }

  handleCopyData({ chunk: row }: { chunk: Buffer }): void {
    if (this.destroyed) return
    const most = row.length + this.#format.overhead
    if (this.#filled + most > this.#out.length) this.#flush(most)
    this.#watch?.row(row)
    this.#filled = this.#format.write(this.#out, this.#filled, row)
  }

  handleReadyForQuery(): void {
    if (this.destroyed) return
    this.#flush(0)
    this.#leave()
    this.push(null)
    this.emit('copied')
  }

  handleError(error: Error): void {
    this.destroy(error)
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#leave()
    callback(error)
  }

  /** @param next bytes that the next row needs at the most */
  #flush(next: number): void {
    if (this.#filled > 0) {
      this.#watch?.chunk(this.#filled)
      this.taken += this.#filled
      this.#granted -= this.#filled
      if (!this.push(this.#out.subarray(0, this.#filled))) this.#expectReader()
      this.#flow()
    }
    this.#out = Buffer.allocUnsafeSlow(Math.max(CHUNK_BYTES, next))
    this.#filled = 0
  }

  #expectReader(): void {
    this.#isRead = false
    clearTimeout(this.#stalled)
    this.#stalled = setTimeout(() => this.destroy(new Error('nobody goes on reading')), this.#stallMs)
  }

  #flow(): void {
    if (this.#isRead && this.#granted > 0) this.#connection?.stream.resume()
    else this.#connection?.stream.pause()
  }

  /** Leaves the connection to others. What still comes for this copy is read and forgotten, until it is closed. */
  #leave(): void {
    this.#turns.leave(this)
    clearTimeout(this.#stalled)
    this.#connection?.stream.resume()
    this.#connection = undefined
  }

  handleCommandComplete(): void {}
  handleRowDescription(): void {}
  handleDataRow(): void {}
  handlePortalSuspended(): void {}
  handleEmptyQuery(): void {}
  handleCopyInResponse(): void {}
}
