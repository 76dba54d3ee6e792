/** A client that reads an answer and keeps nothing: over a bare socket, so that its own work hardly counts. */
import { connect } from 'node:net'

export interface Reading {
  /** Seconds from the request to the end. */
  readonly seconds: number
  /** Milliseconds from the request to the first byte of the body. */
  readonly firstByte: number
  readonly bytes: number
}

const HEAD_END = '\r\n\r\n'
const LAST_CHUNK = '\r\n0\r\n\r\n'

/**
 * Reads a chunked answer to its end.
 * @param signal leaves in the midst of it; the reading then ends there
 * @throws Error where it is no 200, or breaks off
 */
export function readAll(url: string, authorization: string, signal?: AbortSignal): Promise<Reading> {
  const { hostname, port, pathname, search, host } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) })
    const start = performance.now()
    let head = ''
    let firstByte: number | undefined
    let bytes = 0
    let tail = ''
    socket.write(
      `GET ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\nauthorization: ${authorization}\r\nconnection: close\r\n\r\n`,
    )
    socket.on('data', (chunk) => {
      bytes += chunk.length
      tail = (tail + chunk.toString('latin1', Math.max(0, chunk.length - LAST_CHUNK.length))).slice(
        -LAST_CHUNK.length,
      )
      if (firstByte !== undefined) return
      head += chunk.toString('latin1', 0, 4_096)
      const end = head.indexOf(HEAD_END)
      if (end >= 0 && head.length > end + HEAD_END.length) firstByte = performance.now() - start
    })
    const leave = () => socket.destroy()
    signal?.addEventListener('abort', leave)
    socket.once('error', reject)
    socket.once('close', () => {
      signal?.removeEventListener('abort', leave)
      if (!signal?.aborted && !head.startsWith('HTTP/1.1 200')) reject(new Error(head.slice(0, 500)))
      else if (tail !== LAST_CHUNK && !signal?.aborted) reject(new Error('the answer broke off'))
      else
        resolve({ seconds: (performance.now() - start) / 1_000, firstByte: firstByte ?? Number.NaN, bytes })
    })
  })
}
