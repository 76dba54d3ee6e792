import type { Pace } from '../faults/scenario.ts'

/** How a part of `npm run scale` is tried. */
export interface Try {
  readonly pace: Pace
  /** Environment of the processes. */
  readonly settings: Readonly<Record<string, string>>
  /** For files of this run. */
  readonly folder: string
  readonly quick: boolean
  /** Of the loaded database that is upgraded. */
  readonly members: number
}
