import type { ServerResponse } from 'node:http'
import type { OpenedTopics } from '../topics.ts'
import type { EndReason, Listener } from './standing.ts'

/**
 * Bytes that wait for a client at the most before more is written. One that does not read is disconnected, and resumes where it
 * was.
 */
const MOST_BUFFERED = 256 * 1024
/** Milliseconds after which a client that has not taken all of what was written is disconnected. */
const LONGEST_WAIT_MS = 60_000
/** Milliseconds that the last words may take. */
const FAREWELL_MS = 2_000
/** Milliseconds after which a client connects again. */
const RETRY_MS = 2_000

/** The connection of one client. */
export class OpenStream {
  readonly listener: Listener
  /** To what it listens. */
  topics: OpenedTopics
  /** The last number that was dealt with for it: a page that is read later begins behind it. */
  position: number
  /** Milliseconds of `performance.now()`. */
  lastWriteAt = performance.now()
  /** Since when something waits for the client; undefined while nothing does. */
  #waitsSince: number | undefined
  readonly #raw: ServerResponse
  readonly #onOver: (stream: OpenStream) => void
  #isOver = false

  /** @param onOver called once, when it is over for whatever reason */
  constructor(
    raw: ServerResponse,
    {
      listener,
      topics,
      position,
      onOver,
    }: {
      readonly listener: Listener
      readonly topics: OpenedTopics
      readonly position: number
      readonly onOver: (stream: OpenStream) => void
    },
  ) {
    this.#raw = raw
    this.listener = listener
    this.topics = topics
    this.position = position
    this.#onOver = onOver
    raw.once('close', () => this.#over())
    // A client that goes away while something is written to it is no fault of ours.
    raw.on('error', () => this.#over())
    if (raw.destroyed || raw.socket?.destroyed) this.#over()
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** Says from where it goes on, so that a client that loses the connection now can resume. */
  begin(): void {
    this.write(`retry: ${RETRY_MS}\nid: ${this.position}\n\n`)
  }

  /** A comment, so that nobody between takes the connection for dead; and how far the client has come. */
  beat(): void {
    this.write(`:\nid: ${this.position}\n\n`)
  }

  /** Tells the client that what happened since its last number is gone, and goes on from another one. */
  reset(position: number): void {
    this.position = position
    this.write(
      `id: ${position}\nevent: reset\ndata: {"type":"reset","reason":"events after Last-Event-ID are gone: read again what you show"}\n\n`,
    )
  }

  write(text: string | Buffer): void {
    if (this.#isOver) return
    if (this.#raw.writableLength > MOST_BUFFERED) {
      this.cut()
      return
    }
    this.lastWriteAt = performance.now()
    this.#raw.write(text)
  }

  /** Resolves when the client has taken what was written, or the stream is over. */
  async drained(): Promise<void> {
    if (this.#isOver || !this.#raw.writableNeedDrain) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#raw.once('drain', resolve)
    this.#raw.once('close', resolve)
    await promise
    this.#raw.off('drain', resolve)
    this.#raw.off('close', resolve)
  }

  /** Disconnects a client that reads nothing. Called every moment. @param now milliseconds of `performance.now()` */
  cutIfStuck(now: number): void {
    if (this.#raw.writableLength === 0) this.#waitsSince = undefined
    else if (this.#waitsSince === undefined) this.#waitsSince = now
    else if (now - this.#waitsSince > LONGEST_WAIT_MS) this.cut()
  }

  /** Disconnects without a word. The client resumes where it was. */
  cut(): void {
    this.#raw.destroy()
    this.#over()
  }

  /** Says why, and ends. The client may ask for another stream. */
  end(reason: EndReason): void {
    if (this.#isOver) return
    const raw = this.#raw
    raw.end(`event: end\ndata: {"type":"end","reason":"${reason}"}\n\n`)
    this.#over()
    const timer = setTimeout(() => raw.destroy(), FAREWELL_MS).unref()
    raw.once('close', () => clearTimeout(timer))
  }

  #over(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#onOver(this)
  }
}
