/** Choices that a seed decides: of tests, so that a run which failed can be made again, and of the demo data. */
export interface Dice {
  /** An integer from 0 to `below` - 1. */
  upTo(below: number): number
  one<T>(of: readonly T[]): T
  /** True so often. */
  chance(probability: number): boolean
}

/** Mulberry32. */
export function rollDice(seed: number): Dice {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    upTo: (below) => Math.floor(next() * below),
    one: (of) => of[Math.floor(next() * of.length)] as (typeof of)[number],
    chance: (probability) => next() < probability,
  }
}
