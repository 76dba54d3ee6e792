import type { PathSegments } from './path-segments.ts'
import type { Segment, Step } from './pattern.ts'

/** Segments of a pattern that follow on each other; between two runs anything may stand. */
type Run = readonly Segment[]

/** What is left of a pattern behind its leading literal segments, ready to be compared. */
export interface Tail {
  /** What it begins with. */
  readonly first: Run
  readonly middle: readonly Run[]
  /** What it ends with; undefined where the first run is the only one. */
  readonly last: Run | undefined
  /** Segments that a path has at the least; exactly so many where there is one run. */
  readonly length: number
}

export function tailOf(steps: readonly Step[]): Tail {
  const runs: Segment[][] = [[]]
  for (const step of steps) {
    if (step.kind === 'across') runs.push([])
    else runs.at(-1)?.push(step)
  }
  const length = runs.reduce((sum, run) => sum + run.length, 0)
  const [first = [], ...middle] = runs
  return { first, last: middle.pop(), middle, length }
}

/**
 * Whether the segments from `start` on are what a pattern asks for. The first run stands at the beginning, the last one
 * at the end, and each of the others is taken where it is first found: no later place would leave more to the rest, so
 * that nothing is ever tried again.
 */
export function matchesTail(tail: Tail, segments: PathSegments, start: number): boolean {
  const { first, middle, last, length } = tail
  const available = segments.count - start
  if (last === undefined) return available === length && runFits(first, segments, start)
  if (available < length || !runFits(first, segments, start)) return false
  const end = segments.count - last.length
  if (!runFits(last, segments, end)) return false
  let at = start + first.length
  for (const run of middle) {
    while (at + run.length <= end && !runFits(run, segments, at)) at++
    if (at + run.length > end) return false
    at += run.length
  }
  return true
}

function runFits(run: Run, segments: PathSegments, at: number): boolean {
  for (let i = 0; i < run.length; i++) if (!segmentFits(run[i] as Segment, segments, at + i)) return false
  return true
}

function segmentFits(segment: Segment, segments: PathSegments, at: number): boolean {
  if (segment.kind === 'literal') return segments.is(at, segment.text, segment.hash)
  return segment.kind === 'any' || globFits(segment, segments.at(at))
}

function globFits(glob: Extract<Segment, { kind: 'glob' }>, text: string): boolean {
  const { first, middle, last } = glob
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last))
    return false
  const end = text.length - last.length
  let at = first.length
  for (const literal of middle) {
    const found = text.indexOf(literal, at)
    if (found === -1 || found + literal.length > end) return false
    at = found + literal.length
  }
  return true
}
