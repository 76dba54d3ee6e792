import type { Socket } from 'node:net'
import { newRequestId } from './request-id.ts'

/**
 * Errors of Node that end a request before it is parsed, by their codes; any other code is a violation of HTTP's
 * syntax.
 */
const FAULTS: Readonly<Record<string, [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'The headers of the request are larger than 16 KiB',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not arrive in time'],
}
const MALFORMED: [string, string] = ['400 Bad Request', 'The request is not valid HTTP']

/** Sockets whose request may arrive more slowly than others, because a guard checks it. */
const patient = new WeakSet<Socket>()
export const allowLongRequest = (socket: Socket) => patient.add(socket)
export const endLongRequest = (socket: Socket) => patient.delete(socket)

/**
 * Answers requests that could not be parsed: malformed, too large or too slow. There is no reply object, so the answer
 * is written to the socket, in the shape of all errors.
 */
export function handleClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && patient.has(socket)) return
  if (!socket.writable || socket.bytesWritten > 0) {
    // Nobody reads the socket, or it already carries an answer: a second answer could be taken for a part of the first.
    socket.destroy()
    return
  }
  const [status, message] = FAULTS[error.code ?? ''] ?? MALFORMED
  const body = JSON.stringify({
    success: false,
    error: message,
    code: 'INVALID_PARAMETERS',
    request_id: newRequestId(),
  })
  socket.end(
    [
      `HTTP/1.1 ${status}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
    () => socket.destroy(),
  )
}
