import type { FetchResult } from '#platform/outbound/safe-fetch.ts'

/**
 * Seconds before each of the ten attempts, counted from the one before it: 75 h 35 m in all, as Standard Webhooks
 * suggests.
 */
export const DELAYS_S = [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400] as const
/** The largest random change of a delay, so that deliveries that failed together are not retried together. */
const JITTER = 0.2
/** What an endpoint can ask for with `Retry-After`, at the most. */
const LONGEST_WAIT_S = 86_400
const MAY_ASK_TO_WAIT = new Set([429, 502, 503, 504])

/** The consequence of an answer for its delivery. */
export interface Outcome {
  readonly state: 'delivered' | 'pending' | 'failed'
  /** Seconds until the next attempt, of a pending one. */
  readonly delay: number
  /** The endpoint asks for no more messages. */
  readonly gone: boolean
}

/**
 * Classifies the answer to an attempt.
 * @param step attempts of the schedule before this one
 * @param random from 0 to 1
 */
export function classifyResponse(result: FetchResult, step: number, random = Math.random()): Outcome {
  const { status, error } = result
  // An answer whose body is too long to read still counts as an answer.
  const isWhole = error === undefined || error === 'body_too_large'
  if (status !== undefined && status >= 200 && status < 300 && isWhole)
    return { state: 'delivered', delay: 0, gone: false }
  const gone = status === 410
  const delay = DELAYS_S[step + 1]
  if (gone || delay === undefined) return { state: 'failed', delay: 0, gone }
  const jittered = delay * (1 + JITTER * (2 * random - 1))
  return { state: 'pending', delay: Math.max(jittered, askedToWait(result)), gone }
}

/** Seconds that `Retry-After` asks for (RFC 9110, 10.2.3): a number of them, or a date. */
function askedToWait({ status, headers }: FetchResult): number {
  const asked = headers['retry-after']
  if (asked === undefined || status === undefined || !MAY_ASK_TO_WAIT.has(status)) return 0
  // A date is compared with the receiver's own clock, if the answer has a `Date`.
  const now = Date.parse(headers.date ?? '') || Date.now()
  const seconds = /^\d+$/.test(asked) ? Number(asked) : (Date.parse(asked) - now) / 1_000
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), LONGEST_WAIT_S) : 0
}
