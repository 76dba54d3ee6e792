import { setTimeout as sleep } from 'node:timers/promises'

const TICK_MS = 20
/** Until what the stall has brought about, connections that are made again for one, is over. */
const PAUSE_MS = 500
const MOST_ROUNDS = 5

/**
 * Runs a scenario that a stall ends in another way, rightly: a lease is lost, a time-out is over. Where it fails and the
 * process stood still for `stallMs` meanwhile, it is run again; it has to begin with a clean state.
 * @throws what the scenario throws in a round without a stall, or in the last one
 */
export async function withoutStall(
  stallMs: number,
  scenario: () => Promise<void>,
  mostRounds = MOST_ROUNDS,
): Promise<void> {
  for (let round = 1; ; round++) {
    let longest = 0
    let last = performance.now()
    const tick = () => {
      const now = performance.now()
      longest = Math.max(longest, now - last)
      last = now
    }
    const timer = setInterval(tick, TICK_MS)
    try {
      await scenario()
      return
    } catch (error) {
      tick()
      if (longest < stallMs || round === mostRounds) throw error
    } finally {
      clearInterval(timer)
    }
    await sleep(PAUSE_MS)
  }
}
