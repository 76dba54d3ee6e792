/** What a calm client may notice of its neighbour. */
import type { Sent } from './attack.ts'
import type { Calm, Kind } from './calm.ts'

/** What came of one abuse. */
export interface Outcome {
  readonly name: string
  /** Without the abuse, just before it; undefined where clocks are not looked at. */
  readonly alone: readonly Calm[] | undefined
  readonly beside: readonly Calm[]
  readonly sent: Sent
  /** The largest part of its limit that the heap of a process had in use, from 0 to 1. */
  readonly heap: number
  /** Milliseconds of processor time of the longest turn of the API's event loop. */
  readonly turn: number
  /** Processes that have ended. */
  readonly dead: readonly string[]
}

const FREE_MS = 100
const TIMES = 3
const LONGEST_MS = 1_000
const MOST_HEAP = 0.8

/** A time that this part of them does not exceed. @param sorted in ascending order */
export function percentile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)] ?? 0
}

/** Milliseconds that the p99 of a kind may be. */
export const boundOf = (alone: number): number => Math.min(LONGEST_MS, Math.max(FREE_MS, TIMES * alone))

/** Everything that must not be, in words. */
export function faultsOf({ alone, beside, sent, heap, dead }: Outcome): string[] {
  const faults = dead.map((name) => `${name} has ended`)
  if (heap >= MOST_HEAP) faults.push(`the heap had ${(heap * 100).toFixed(0)} % of its limit`)
  const broken = Object.entries(sent.statuses).filter(([status]) => /^(5\d\d|broken)$/.test(status))
  for (const [status, count] of broken)
    faults.push(`the abuser got ${count} × ${status}: ${sent.firstFault ?? ''}`)
  for (const { kind, times, faults: wrong } of beside) {
    if (times.length === 0) faults.push(`${kind}: was never asked`)
    if (wrong.length > 0) faults.push(`${kind}: ${wrong.length} of ${times.length} failed: ${wrong[0]}`)
    const before = alone?.find((each) => each.kind === kind)
    if (before === undefined) continue
    const [p99, bound] = [percentile(times, 0.99), boundOf(percentile(before.times, 0.99))]
    if (p99 > bound) faults.push(`${kind}: p99 ${p99.toFixed(0)} ms, bound ${bound.toFixed(0)} ms`)
  }
  return faults
}

/** The kind whose p99 is largest for its bound. */
export function worstKind({ alone, beside }: Outcome): Kind | undefined {
  const share = ({ kind, times }: Calm) => {
    const before = alone?.find((each) => each.kind === kind)?.times ?? []
    return percentile(times, 0.99) / boundOf(percentile(before, 0.99))
  }
  return beside.toSorted((a, b) => share(b) - share(a))[0]?.kind
}
