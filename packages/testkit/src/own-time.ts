const TICK_MS = 10
/** What one tick counts for at the most. */
const MOST_MS = 50

/**
 * How many milliseconds some work takes that waits more than it computes. A moment in which the process stands still,
 * because the machine does, counts as one tick.
 */
export async function ownTime(work: () => Promise<unknown>): Promise<number> {
  let spent = 0
  let last = performance.now()
  const tick = () => {
    const now = performance.now()
    spent += Math.min(now - last, MOST_MS)
    last = now
  }
  const timer = setInterval(tick, TICK_MS)
  try {
    await work()
  } finally {
    clearInterval(timer)
  }
  tick()
  return spent
}

/** How many milliseconds of a processor this process takes for some work: others on a busy machine take none of them. */
export async function cpuTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
