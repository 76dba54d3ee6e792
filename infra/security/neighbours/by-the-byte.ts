/** Slow clients, over sockets of their own: a byte of a head, of a body or of an answer at a time. */
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Manner } from './abuse.ts'
import { type Ending, type Filled, isAskedToWait } from './ending.ts'

const INTERVAL_MS = 50
const HEAD_BYTES = 4_096

/**
 * Sends a request and reads its answer, one of them by the byte. Whatever refuses it is read at full speed: a client that abuses
 * connections asks again at once.
 */
export async function sendByTheByte(
  { hostname, port }: URL,
  wanted: Filled,
  manner: Manner,
  deadline: AbortSignal,
): Promise<Ending> {
  const answer = new SlowAnswer(manner === 'slow-download', deadline)
  const socket: Socket = connect({
    ...{ host: hostname, port: Number(port), noDelay: true },
    onread: {
      buffer: () => answer.room,
      callback: (count: number, bytes: Uint8Array): boolean => answer.take(bytes.subarray(0, count), socket),
    },
  })
  const close = () => socket.destroy()
  deadline.addEventListener('abort', close, { once: true })
  const head = `${headOf(wanted)}\r\n\r\n`
  const { body = '' } = wanted
  const written = async () => {
    if (manner === 'slow-head') await writeSlowly(socket, head, deadline)
    else socket.write(head)
    if (manner === 'slow-upload') await writeSlowly(socket, body, deadline)
    else socket.write(body)
  }
  const ended = new Promise<Ending>((resolve) => {
    let fault: string | undefined
    socket.on('error', (error) => (fault = error.message))
    socket.on('close', () => {
      deadline.removeEventListener('abort', close)
      const { ending } = answer
      if (ending !== undefined) resolve(ending)
      else if (deadline.aborted) resolve({ status: 'given up' })
      else resolve({ status: 'broken', fault: fault ?? 'closed without an answer' })
    })
  })
  const [ending] = await Promise.all([ended, written()])
  return ending
}

/** An answer whose head is read at once, and whose body a byte at a time. */
class SlowAnswer {
  readonly #isSlow: boolean
  readonly #deadline: AbortSignal
  #head = ''
  ending: Ending | undefined

  constructor(isSlow: boolean, deadline: AbortSignal) {
    this.#isSlow = isSlow
    this.#deadline = deadline
  }

  /** What is taken from the system at a time: all else stays in its buffers, and then in the server's. */
  get room(): Uint8Array {
    return Buffer.alloc(this.ending === undefined ? HEAD_BYTES : 1)
  }

  /** @returns false where the socket is to be read no further for now */
  take(bytes: Uint8Array, socket: Socket): boolean {
    if (this.ending === undefined) {
      this.#head += Buffer.from(bytes).toString('latin1')
      const end = this.#head.indexOf('\r\n\r\n')
      if (end < 0) return true
      const head = this.#head.slice(0, end)
      const status = Number(head.split(' ')[1])
      const retryAfter = /^retry-after: *(.+)$/im.exec(head)?.[1]
      if (isAskedToWait(status, retryAfter)) this.ending = { status: 'later' }
      else this.ending = { status: String(status), ...(status >= 500 && { fault: this.#head }) }
      if (!this.#isSlow || status >= 300) {
        socket.destroy()
        return false
      }
    }
    sleep(INTERVAL_MS, undefined, { signal: this.#deadline }).then(
      () => socket.resume(),
      () => undefined,
    )
    return false
  }
}

function headOf({ method, path, headers, body }: Filled): string {
  const lines = Object.entries({
    host: 'localhost',
    connection: 'close',
    ...headers,
    ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
  }).map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${path} HTTP/1.1`, ...lines].join('\r\n')
}

async function writeSlowly(socket: Socket, text: string, deadline: AbortSignal): Promise<void> {
  for (const byte of Buffer.from(text)) {
    if (deadline.aborted || socket.destroyed) return
    socket.write(Buffer.of(byte))
    await sleep(INTERVAL_MS, undefined, { signal: deadline }).catch(() => undefined)
  }
}
