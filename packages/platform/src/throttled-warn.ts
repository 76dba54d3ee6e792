import type { Log } from './log.ts'

/** Milliseconds between two lines about the same trouble. */
const QUIET_MS = 10_000

/**
 * Warns of the first of a flood of errors at once, and of one of the rest every ten seconds, with the number of those
 * that went unsaid in between: a server that is away for an hour is one story, not ten thousand.
 */
export function throttledWarn(log: Log, message: string, quietMs = QUIET_MS): (error: unknown) => void {
  let last = Number.NEGATIVE_INFINITY
  let unsaid = 0
  return (error) => {
    const now = performance.now()
    if (now - last < quietMs) {
      unsaid += 1
      return
    }
    log.warn({ err: error, ...(unsaid > 0 && { unsaid }) }, message)
    last = now
    unsaid = 0
  }
}
