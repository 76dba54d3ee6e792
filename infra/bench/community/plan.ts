import type { Sizes } from './data.ts'

/** How much is loaded, and for how long it is measured. */
export interface Plan {
  readonly large: Sizes
  readonly small: Sizes
  readonly members: number
  /** Projects beside the large and the small one. */
  readonly others: number
  readonly rounds: number
  readonly seconds: number
}

const SMALL: Sizes = { discussions: 1_000, comments: 10_000, votes: 2_000, articles: 1_000 }

export const FULL: Plan = {
  large: { discussions: 200_000, comments: 2_000_000, votes: 500_000, articles: 100_000 },
  small: SMALL,
  members: 20_000,
  others: 100,
  rounds: 5,
  seconds: 2,
}

export const QUICK: Plan = {
  large: { discussions: 20_000, comments: 200_000, votes: 50_000, articles: 100_000 },
  small: SMALL,
  members: 4_000,
  others: 5,
  rounds: 3,
  seconds: 1,
}

/** Of each project beside them. */
export const OTHER: Sizes = { discussions: 200, comments: 2_000, votes: 200, articles: 500 }
