import { matchesTail } from './match-path.ts'
import type { PathSegments } from './path-segments.ts'
import { type Candidates, type Entry, isBetter } from './rule-tree.ts'

/** The slices of long work, as `EventLoopTurns` gives them; an edge has none, because it has the rules of one project. */
export interface Slices {
  /** Whether others should be answered before more is done. */
  readonly isOver: boolean
  next(): Promise<unknown>
}

/** How many entries are compared between two looks at the time. */
const LOOK_EVERY = 16

/**
 * A search among the candidates of one page, the deepest first: what lies deeper has the longer literal prefix. It can be interrupted,
 * because thousands of patterns with several wildcards take milliseconds.
 */
export class RuleSearch<R> {
  /** What was found: the best one, or all of them in no order. */
  readonly found: Entry<R>[] = []
  readonly #candidates: readonly Candidates<R>[]
  readonly #wantsAll: boolean
  #list = 0
  #at = 0

  constructor(candidates: readonly Candidates<R>[], wantsAll: boolean) {
    this.#candidates = candidates
    this.#wantsAll = wantsAll
  }

  /** Goes on until it is finished, or the slice is over. @returns whether it is finished */
  run(segments: PathSegments, slices?: Slices): boolean {
    for (; this.#list < this.#candidates.length; this.#list++, this.#at = 0) {
      const { entries, depth } = this.#candidates[this.#list] as Candidates<R>
      if (!this.#wantsAll && this.found.length > 0 && depth < this.#depthOfBest) break
      for (; this.#at < entries.length; this.#at++) {
        if (slices && this.#at % LOOK_EVERY === LOOK_EVERY - 1 && slices.isOver) return false
        const entry = entries[this.#at] as Entry<R>
        if (this.#wantsAll) {
          if (fits(entry, segments, depth)) this.found.push(entry)
        } else {
          const [best] = this.found
          if (best && !isBetter(entry, best)) break
          if (!fits(entry, segments, depth)) continue
          this.found[0] = entry
          this.#depthOfBest = depth
          break
        }
      }
    }
    return true
  }

  #depthOfBest = 0
}

function fits<R>({ tails }: Entry<R>, segments: PathSegments, depth: number): boolean {
  for (const tail of tails) if (matchesTail(tail, segments, depth)) return true
  return false
}
