import { randomUUID } from 'node:crypto'

/**
 * The id of a request: `req_` and a UUID of version 7 (RFC 9562). Ids that begin with the time are added at the end of the index of the
 * log of requests, where random ones cost a row a third more of PostgreSQL's time.
 */
export function newRequestId(): string {
  const time = Date.now().toString(16).padStart(12, '0')
  return `req_${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

/** The id that a caller has given its request, if it has only characters that are safe in a log. */
export const acceptedRequestId = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' && /^[\w.-]{1,64}$/.test(header) ? header : undefined
