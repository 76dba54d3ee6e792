import { setTimeout as sleep } from 'node:timers/promises'

const PAUSE_MS = 20
/** What one look counts for at the most. */
const LOOK_MS = 50

/**
 * Looks again and again until `look` no longer throws, for something that the API promises in so many milliseconds.
 * A look that takes long counts as a short one, so that a machine that stalls, and with it this process, the API and
 * PostgreSQL, is not taken for an API that breaks its promise. @throws what the last look threw, once the time is over
 */
export async function within(promisedMs: number, look: () => unknown): Promise<void> {
  for (let left = promisedMs; ; ) {
    const began = performance.now()
    try {
      await look()
      return
    } catch (error) {
      if (left <= 0) throw error
    }
    await sleep(PAUSE_MS)
    left -= Math.min(performance.now() - began, LOOK_MS)
  }
}
