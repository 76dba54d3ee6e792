import { errors } from 'undici'

/**
 * Why a fetch failed, as it is recorded and shown:
 * - `invalid_url`, `invalid_request`: it was never sent, because of its URL or its headers
 * - `blocked_address`: the host leads, or one of its addresses does, to where nothing of ours may connect
 * - `dns`: the host has no address, or its name servers did not answer
 * - `refused`, `unreachable`: nobody listens there, or there is no way there
 * - `tls`: no trusted encrypted connection
 * - `timeout`: the deadline passed, wherever it was by then
 * - `closed`: the connection broke before the answer was complete
 * - `malformed`: what came is not HTTP, or its headers pass 16 KiB
 * - `body_too_large`: the answer is longer than what is read; its status holds
 * - `network`: anything else on the way
 */
export type FetchError =
  | 'invalid_url'
  | 'invalid_request'
  | 'blocked_address'
  | 'dns'
  | 'refused'
  | 'unreachable'
  | 'tls'
  | 'timeout'
  | 'closed'
  | 'malformed'
  | 'body_too_large'
  | 'network'

/** A failure whose reason is known where it arises. */
export class FetchFailure extends Error {
  override name = 'FetchFailure'
  readonly reason: FetchError

  constructor(reason: FetchError, cause?: unknown) {
    super(reason, { cause })
    this.reason = reason
  }
}

const BY_CODE: Readonly<Record<string, FetchError>> = {
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  EHOSTDOWN: 'unreachable',
  ENETDOWN: 'unreachable',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  ECONNRESET: 'closed',
  EPIPE: 'closed',
  UND_ERR_SOCKET: 'closed',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'closed',
  UND_ERR_HEADERS_OVERFLOW: 'malformed',
  UND_ERR_INVALID_ARG: 'invalid_request',
}

/**
 * The reason behind an error of the network; undefined where it is none, but a fault of ours.
 * @param secure true where an encrypted connection was being made: what is no fault of the network is one of TLS then
 */
export function reasonOf(error: unknown, secure = false): FetchError | undefined {
  if (error instanceof FetchFailure) return error.reason
  // Its code may be unset.
  if (error instanceof errors.HTTPParserError) return 'malformed'
  const code = (error as { code?: unknown }).code
  if (typeof code !== 'string') return undefined
  return BY_CODE[code] ?? (secure ? 'tls' : 'network')
}
