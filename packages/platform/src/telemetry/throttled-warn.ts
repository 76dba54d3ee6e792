import type { Log } from './log.ts'

/** Milliseconds between two lines about the same kind of error. */
const QUIET_MS = 10_000

/**
 * Logs the first error at once, then at most one every ten seconds, with the number of errors that were not logged in
 * between. A server that is unreachable for an hour does not fill the log.
 */
export function throttledWarn(log: Log, message: string, quietMs = QUIET_MS): (error: unknown) => void {
  let last = Number.NEGATIVE_INFINITY
  let suppressed = 0
  return (error) => {
    const now = performance.now()
    if (now - last < quietMs) {
      suppressed += 1
      return
    }
    log.warn({ err: error, ...(suppressed > 0 && { suppressed }) }, message)
    last = now
    suppressed = 0
  }
}
