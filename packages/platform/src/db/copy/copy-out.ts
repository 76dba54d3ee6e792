import { Readable } from 'node:stream'
import type { Connection, Submittable } from 'pg'
import type { RowFormat } from '../../csv/row-writer.ts'
import type { CopyScheduler, ScheduledCopy } from './copy-scheduler.ts'

/** The size of a chunk in bytes. The first chunks are smaller, so that the first rows arrive soon. */
const CHUNK_BYTES = 64 * 1024
const FIRST_CHUNK_BYTES = 4 * 1024

/** Receives the progress of a copy. */
export interface CopyWatch {
  /** Called for a row that is added to the next chunk, as COPY sends it; its bytes are valid until this returns. */
  row(row: Buffer): void
  /** Called with the number of bytes, of all rows so far, that are part of the stream. */
  chunk(bytes: number): void
}

export interface CopyOptions {
  /** One SELECT with its values, whose rows are copied. */
  readonly sql: string
  readonly format: RowFormat
  /** Bytes that are sent first, at once. */
  readonly head?: string
  readonly watch?: CopyWatch | undefined
  /** Milliseconds that a reader may pause; a paused copy occupies a transaction of PostgreSQL and memory of this process. */
  readonly stallMs: number
  /** The scheduler that this copy shares with others, so that they do not run at the same time. */
  readonly turns: CopyScheduler
}

/**
 * The rows of `COPY (…) TO STDOUT` as a stream, in their outgoing format. Only one chunk is kept in memory: while
 * nobody reads the stream, nothing is read from PostgreSQL, which then waits too. The stream ends when PostgreSQL has
 * sent everything; an earlier failure destroys it. The transaction ends with the copy. `copied` resolves when the
 * connection is free, which is before the last bytes are read.
 */
export class CopyOut extends Readable implements Submittable, ScheduledCopy {
  /** The number of bytes so far. */
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
  /** The connection, while this copy uses it. */
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

  /** Called by the client when this copy is the next one on the connection. */
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

  /** @param next the largest number of bytes of the next row */
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

  /** Releases the connection. Bytes that still arrive for this copy are discarded until it is closed. */
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
