/** What a client must give or take in a second, on average of a window, while we wait for it. */
export const LEAST_BYTES_PER_SECOND = 8 * 1024
/** How often it is looked at in a window. */
const LOOKS = 30

interface Watched {
  /** Milliseconds of waiting after which a client is judged. */
  readonly windowMs: number
  /** Bytes that the client has given or taken so far. */
  readonly bytes: () => number
  /** Whether it is the client that is waited for, and was since this was last called. */
  readonly isWaiting: () => boolean
  /** Called once, at most. */
  readonly onSlow: () => void
}

/**
 * Watches whether a client gives or takes at least 8 KiB/s. Only the time counts in which we wait for it: not what our
 * storage, our database or our own giving way to others takes.
 * @returns ends the watch
 */
export function watchThroughput({ windowMs, bytes, isWaiting, onSlow }: Watched): () => void {
  const lookMs = windowMs / LOOKS
  let seen = bytes()
  let looks = 0
  let moved = 0
  const timer = setInterval(() => {
    const now = bytes()
    const since = now - seen
    seen = now
    if (!isWaiting()) return
    looks += 1
    moved += since
    if (looks < LOOKS) return
    if (moved < (LEAST_BYTES_PER_SECOND * windowMs) / 1_000) {
      clearInterval(timer)
      onSlow()
    }
    looks = 0
    moved = 0
  }, lookMs)
  return () => clearInterval(timer)
}
