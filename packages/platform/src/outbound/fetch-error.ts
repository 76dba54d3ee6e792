/**
 * Why a request failed, as it is stored and shown:
 * - `invalid_url`, `invalid_request`: it was not sent, because of its URL or its headers
 * - `blocked_address`: the host has an address to which connections are not allowed
 * - `dns`: the host has no address, or its name servers did not answer
 * - `refused`, `unreachable`: no server listens there, or there is no route
 * - `tls`: no trusted encrypted connection
 * - `timeout`: the deadline passed
 * - `closed`: the connection broke before the answer was complete
 * - `malformed`: the answer is not HTTP, or its headers are larger than 16 KiB
 * - `body_too_large`: the answer is longer than what is read; its status is valid
 * - `network`: every other failure of the connection
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

/** A failure whose reason is known where it occurs. */
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
 * The reason of a network error; undefined if it is not a network error but an error on our side.
 * @param secure true if an encrypted connection was being made: an unknown error is then one of TLS
 */
export function reasonOf(error: unknown, secure = false): FetchError | undefined {
  if (error instanceof FetchFailure) return error.reason
  // The code can be unset.
  if (error instanceof Error && error.name === 'HTTPParserError') return 'malformed'
  const code = (error as { code?: unknown }).code
  if (typeof code !== 'string') return undefined
  return BY_CODE[code] ?? (secure ? 'tls' : 'network')
}
