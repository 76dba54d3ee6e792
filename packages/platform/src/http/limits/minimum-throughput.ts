/** Bytes per second that a client must send or read, on average over a window, while the server waits for it. */
export const LEAST_BYTES_PER_SECOND = 8 * 1024
/** How many checks a window has. */
const LOOKS = 30

interface Watched {
  /** Milliseconds of waiting after which the client's throughput is checked. */
  readonly windowMs: number
  /** Bytes that the client has sent or read so far. */
  readonly bytes: () => number
  /** Whether the server waits for the client, and has waited since the last call. */
  readonly isWaiting: () => boolean
  /** Called at most once, when the client is too slow. */
  readonly onSlow: () => void
}

/**
 * Checks that a client sends or reads at least 8 KiB/s. Only the time counts in which the server waits for the client,
 * not the time that the storage, the database or the copy scheduler takes.
 * @returns a function that stops the checks
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
