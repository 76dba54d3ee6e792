import type { Log } from './log.ts'

/** Milliseconds between two lines about the same kind of error. */
const QUIET_MS = 10_000

export interface ThrottledWarn {
  (error: unknown): void
  /** Called when it worked. If errors were logged before, one line says that they are over, and after how long. */
  over(): void
}

/**
 * Logs the first error at once, then at most one every ten seconds, with the number of errors that were not logged in
 * between. A server that is unreachable for an hour does not fill the log.
 */
export function throttledWarn(log: Log, message: string, quietMs = QUIET_MS): ThrottledWarn {
  let last = Number.NEGATIVE_INFINITY
  let suppressed = 0
  let since: number | undefined
  const warn = (error: unknown) => {
    const now = performance.now()
    since ??= now
    if (now - last < quietMs) {
      suppressed += 1
      return
    }
    log.warn({ err: error, ...(suppressed > 0 && { suppressed }) }, message)
    last = now
    suppressed = 0
  }
  const over = () => {
    if (since === undefined) return
    log.info({ seconds: Math.round((performance.now() - since) / 100) / 10 }, `over: ${message}`)
    last = Number.NEGATIVE_INFINITY
    suppressed = 0
    since = undefined
  }
  return Object.assign(warn, { over })
}
