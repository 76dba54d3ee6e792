/** What a fault may have cost. */
import type { Outcome } from './scenario.ts'

/** Healthy receivers may wait twice as long as without the fault; below this nobody feels it. */
const P99_FACTOR = 2
const P99_FLOOR_MS = 150
/** Megabytes of one worker. */
const MEMORY_LIMIT = 300

/**
 * What an outcome breaks, in words; nothing where it is sound.
 * @param calm the same without a fault, where latency is judged
 */
export function faultsOf(outcome: Outcome, calm?: Outcome): string[] {
  const { lost, unlogged, invented, duplicates, inFlight, recovered, untimely, memory, p99 } = outcome
  const bound = calm && Math.max(calm.p99, P99_FLOOR_MS) * P99_FACTOR
  return [
    ...(outcome.committed === 0 ? ['nothing was committed'] : []),
    ...(lost > 0 ? [`${lost} lost`] : []),
    ...(unlogged > 0 ? [`${unlogged} answered and not logged`] : []),
    ...(invented > 0 ? [`${invented} never committed`] : []),
    ...(duplicates > inFlight ? [`${duplicates} came twice, with ${inFlight} in flight`] : []),
    ...(recovered === undefined ? ['not recovered in time'] : []),
    ...(untimely > 0 ? [`${untimely} with a time that receivers refuse`] : []),
    ...(memory > MEMORY_LIMIT ? [`a worker used ${memory} MB`] : []),
    ...(bound !== undefined && p99 > bound ? [`p99 ${p99} ms, ${calm?.p99} ms in calm`] : []),
  ]
}

/** One line of the table. */
export const toLine = (outcome: Outcome, broken: readonly string[]): string =>
  [
    outcome.fault.padEnd(52),
    outcome.backend.padEnd(9),
    ...[outcome.committed, outcome.delivered, outcome.duplicates, outcome.inFlight, outcome.lost].map(
      (count) => String(count).padStart(9),
    ),
    (outcome.recovered === undefined ? '-' : `${outcome.recovered.toFixed(1)} s`).padStart(9),
    `${outcome.p99} ms`.padStart(9),
    `${outcome.memory} MB`.padStart(8),
    broken.length === 0 ? '  ok' : `  FAILED: ${broken.join('; ')}`,
  ].join(' ')

export const HEADING = [
  'fault'.padEnd(52),
  'backend'.padEnd(9),
  ...['committed', 'delivered', 'twice', 'in flight', 'lost', 'recovered', 'p99'].map((word) =>
    word.padStart(9),
  ),
  'memory'.padStart(8),
].join(' ')
