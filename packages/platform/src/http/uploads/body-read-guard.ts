import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { ApiError } from '../../errors.ts'
import { watchThroughput } from '../limits/minimum-throughput.ts'
import { allowLongRequest, endLongRequest } from '../server/client-error.ts'

/** Milliseconds after which an upload that is not finished is refused. */
const LONGEST_MS = 3_600_000
/** The number of bytes of a refused body that are still read, so that the client gets to read the answer. */
const REST_BYTES = 16 * 1024 * 1024
const REST_MS = 2_000
/** Milliseconds in which bytes of a refused client are still read after its answer. */
const LINGER_MS = 2_000

interface Bounds {
  /** Of the whole body. */
  readonly bytes: number
  readonly tooLarge: () => ApiError
  /** Milliseconds of waiting for the client after which its throughput is checked. */
  readonly windowMs: number
}

/**
 * Checks a body while it arrives: its size, and that at least 8 KiB/s arrive. Time in which the server does not read
 * does not count.
 */
export class BodyReadGuard {
  /** Rejected with an ApiError when a limit is exceeded; never resolved. */
  readonly broken: Promise<never>
  readonly #request: IncomingMessage
  readonly #onData: (chunk: Buffer) => void
  readonly #break: (error: ApiError) => void
  readonly #endWatch: () => void
  readonly #onPause: () => void
  #file: Readable | undefined
  #bytes = 0

  constructor(request: IncomingMessage, { bytes, tooLarge, windowMs }: Bounds) {
    const { promise, reject } = Promise.withResolvers<never>()
    this.broken = promise
    // The reader that awaits it handles the rejection; nobody may await it.
    promise.catch(() => {})
    this.#request = request
    this.#break = (error) => {
      this.#file?.destroy(error)
      reject(error)
    }
    if (Number(request.headers['content-length']) > bytes) this.#break(tooLarge())
    const deadline = performance.now() + LONGEST_MS
    let gaveWay = false
    this.#onPause = () => {
      gaveWay = true
    }
    request.on('pause', this.#onPause)
    this.#endWatch = watchThroughput({
      windowMs,
      bytes: () => this.#bytes,
      isWaiting: () => {
        const isOurs = gaveWay || request.isPaused()
        gaveWay = false
        return !isOurs
      },
      onSlow: () => this.#break(tooSlow('The body arrived slower than 8 KiB/s')),
    })
    this.#onData = (chunk) => {
      this.#bytes += chunk.length
      if (this.#bytes > bytes) this.#break(tooLarge())
      if (performance.now() > deadline) this.#break(tooSlow('The body did not arrive within an hour'))
    }
    request.on('data', this.#onData)
    allowLongRequest(request.socket)
  }

  /** The stream that reads the body; it is destroyed with the error when a limit is exceeded. */
  watch(file: Readable): void {
    this.#file = file
  }

  end(): void {
    this.#endWatch()
    this.#request.off('data', this.#onData)
    this.#request.off('pause', this.#onPause)
    endLongRequest(this.#request.socket)
  }
}

const tooSlow = (message: string) => new ApiError(400, 'INVALID_PARAMETERS', message)

/**
 * Reads the rest of a body, up to a limit: a client reads its answer only after it has sent everything. If more
 * arrives, the connection is closed a short time after the answer.
 * @returns whether the whole body arrived, so that the connection can be used again
 */
export async function letRestPass(request: IncomingMessage): Promise<boolean> {
  request.unpipe()
  if (request.readableEnded || request.destroyed) return true
  const { promise: passed, resolve } = Promise.withResolvers<boolean>()
  let bytes = 0
  const onData = (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > REST_BYTES) resolve(false)
  }
  const timer = setTimeout(() => resolve(false), REST_MS)
  request.on('data', onData)
  request.once('end', () => resolve(true))
  request.once('close', () => resolve(true))
  request.resume()
  const complete = await passed
  clearTimeout(timer)
  request.off('data', onData)
  if (!complete) {
    request.pause()
    closeLate(request)
  }
  return complete
}

/**
 * A connection that is closed with unread bytes is reset, and the reset can reach the client before the answer does. So
 * bytes that arrive after the answer are read and discarded for a short time (nginx calls it `lingering_close`). Node
 * has no option for it: its HTTP server calls `socket.destroySoon()`, so this method is replaced on this one socket,
 * which takes no further request.
 */
function closeLate(request: IncomingMessage): void {
  const { socket } = request
  // Node calls this when an answer with `Connection: close` is written.
  socket.destroySoon = () => {
    socket.end()
    request.resume()
    const timer = setTimeout(() => socket.destroy(), LINGER_MS)
    socket.once('close', () => clearTimeout(timer))
  }
}
