import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { ApiError } from '../../errors.ts'
import { watchThroughput } from '../limits/minimum-throughput.ts'
import { allowLongRequest, endLongRequest } from '../server/client-error.ts'

/** A sender that is still not done after this is not waited for. */
const LONGEST_MS = 3_600_000
/** What is read of a refused body, so that its sender comes to read the answer. */
const REST_BYTES = 16 * 1024 * 1024
const REST_MS = 2_000
/** For so long, what a refused sender still sends is taken after its answer. */
const LINGER_MS = 2_000

interface Bounds {
  /** Of the whole body. */
  readonly bytes: number
  readonly tooLarge: () => ApiError
  /** Milliseconds of waiting for the sender after which it is judged by its throughput. */
  readonly windowMs: number
}

/**
 * Watches over a body that is read while it arrives: its size, and that at least 8 KiB/s come. Time that is lost because
 * we do not read faster does not count.
 */
export class BodyReadGuard {
  /** Rejected with an ApiError when a bound is broken; never resolved. */
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
    // It is for whoever waits for it.
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
      onSlow: () => this.#break(tooSlow('The body came slower than 8 KiB/s and was not waited for')),
    })
    this.#onData = (chunk) => {
      this.#bytes += chunk.length
      if (this.#bytes > bytes) this.#break(tooLarge())
      if (performance.now() > deadline) this.#break(tooSlow('The body did not arrive within an hour'))
    }
    request.on('data', this.#onData)
    allowLongRequest(request.socket)
  }

  /** What is being read of the body: it is ended with the error that a bound is broken by. */
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
 * Reads what is left of a body, up to a bound: a client that is still sending reads its answer afterwards only. Where
 * more comes, the connection is closed some time after the answer.
 * @returns whether all of it came, so that the connection can be used again
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
 * A connection that is closed with bytes unread is reset, and a reset can reach its sender before the answer that went
 * ahead of it. So what comes after the answer is taken for a while (nginx calls it `lingering_close`). Node has no
 * option for it: its HTTP server closes by `socket.destroySoon()`, so that this socket gets a method of its own. It is
 * this one socket's, which takes no further request.
 */
function closeLate(request: IncomingMessage): void {
  const { socket } = request
  // What Node calls when an answer with `Connection: close` is written.
  socket.destroySoon = () => {
    socket.end()
    request.resume()
    const timer = setTimeout(() => socket.destroy(), LINGER_MS)
    socket.once('close', () => clearTimeout(timer))
  }
}
