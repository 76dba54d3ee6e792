import type { Segment, Step } from './pattern.ts'

/** Segments of a pattern that follow on each other; between two runs anything may stand. */
type Run = readonly Segment[]

/** What is left of a pattern behind its leading literal segments, ready to be compared. */
export interface Tail {
  readonly runs: readonly Run[]
  /** Segments that a path has at the least; exactly so many where there is one run. */
  readonly length: number
}

export function tailOf(steps: readonly Step[]): Tail {
  const runs: Segment[][] = [[]]
  for (const step of steps) {
    if (step.kind === 'across') runs.push([])
    else runs.at(-1)?.push(step)
  }
  return { runs, length: runs.reduce((sum, run) => sum + run.length, 0) }
}

/**
 * Whether the segments from `start` on are what a pattern asks for. The first run stands at the beginning, the last one
 * at the end, and each of the others is taken where it is first found: no later place would leave more to the rest, so
 * that nothing is ever tried again.
 */
export function matchesTail({ runs, length }: Tail, segments: readonly string[], start: number): boolean {
  const available = segments.length - start
  const [first = [], ...others] = runs
  const last = others.pop()
  if (last === undefined) return available === length && runFits(first, segments, start)
  if (available < length || !runFits(first, segments, start)) return false
  const end = segments.length - last.length
  if (!runFits(last, segments, end)) return false
  let at = start + first.length
  for (const run of others) {
    while (at + run.length <= end && !runFits(run, segments, at)) at++
    if (at + run.length > end) return false
    at += run.length
  }
  return true
}

function runFits(run: Run, segments: readonly string[], at: number): boolean {
  for (let i = 0; i < run.length; i++)
    if (!segmentFits(run[i] as Segment, segments[at + i] as string)) return false
  return true
}

function segmentFits(segment: Segment, text: string): boolean {
  if (segment.kind === 'literal') return segment.text === text
  return segment.kind === 'any' || globFits(segment, text)
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
