/** Milliseconds of a day. */
export const DAY_MS = 86_400_000

/** The last day that a timestamp of the API can name. A pass that was bought for longer ends here. */
const LAST_MS = Date.UTC(9999, 11, 31)

/** When something begins and ends. Milliseconds, as all times here. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** When a new pass runs: behind those of the same kind that the member has, so that no paid day is given twice. */
export function spanBehind(passes: readonly Span[], { now, days }: { now: number; days: number }): Span {
  const start = Math.max(now, ...passes.map(({ end }) => end))
  return { start, end: Math.min(start + days * DAY_MS, LAST_MS) }
}

/**
 * When passes of one kind run after one of them was taken away or shortened: each that has not begun yet begins where the
 * one before it ends, for as long as before.
 * @returns those that moved
 */
export function withoutGaps<P extends Span>(passes: readonly P[], now: number): P[] {
  let free = now
  const moved: P[] = []
  for (const pass of passes.toSorted((a, b) => a.start - b.start)) {
    const start = pass.start <= now ? pass.start : Math.min(pass.start, free)
    const end = pass.end - (pass.start - start)
    if (start !== pass.start) moved.push({ ...pass, start, end })
    free = Math.max(free, end)
  }
  return moved
}
