/** What a client that abuses the API is answered. */
import type { AbuseRequest } from './abuse.ts'

/** A request as it goes over the wire. */
export interface Filled {
  readonly method: AbuseRequest['method']
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** What came of one request. */
export interface Ending {
  /** `later` is a 503 with Retry-After, `broken` no answer, `given up` one that the end of the abuse has cut. */
  readonly status: string
  readonly fault?: string
}

/** An answer that says when to ask again is as documented. */
export const isAskedToWait = (status: number, retryAfter: string | undefined): boolean =>
  status === 503 && retryAfter !== undefined
