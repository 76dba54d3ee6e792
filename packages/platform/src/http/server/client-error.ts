import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'

/** What keeps a request from becoming one, by Node's codes; anything else is a breach of HTTP's syntax. */
const FAULTS: Readonly<Record<string, [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers of the request are larger than 16 KiB'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time'],
}
const MALFORMED: [number, string] = [400, 'The request is not valid HTTP']

/** Sockets whose request may take longer than others to arrive, because somebody watches over it. */
const patient = new WeakSet<Socket>()
export const allowLongRequest = (socket: Socket) => patient.add(socket)
export const endLongRequest = (socket: Socket) => patient.delete(socket)

/**
 * Answers what never became a request: malformed, too large or too slow. There is nothing to reply to but the socket,
 * so the answer is written by hand, in the shape of all errors.
 */
export function handleClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && patient.has(socket)) return
  if (!socket.writable || socket.bytesWritten > 0) {
    // Nobody listens, or an answer was given before on this connection: a second one could be taken for part of it.
    socket.destroy()
    return
  }
  const [status, message] = FAULTS[error.code ?? ''] ?? MALFORMED
  const body = JSON.stringify({
    success: false,
    error: message,
    code: 'INVALID_PARAMETERS',
    request_id: `req_${randomUUID()}`,
  })
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
    () => socket.destroy(),
  )
}
