/** The table of `npm run scale`. */
import type { Rig } from '../faults/rig.ts'
import { type Fault, type Outcome, type Pace, play } from '../faults/scenario.ts'
import { faultsOf, HEADING, toLine } from '../faults/verdict.ts'

const WIDTH = 72

export class Report {
  failures = 0

  /** Begins a part of the table. */
  begin(title: string): void {
    process.stdout.write(`\n${title}\n`)
  }

  /** A line: what was tried, what is wrong, and a figure. */
  add(what: string, faults: readonly string[], remark = ''): void {
    if (faults.length > 0) this.failures++
    const verdict = faults.length === 0 ? `ok ${remark}` : `FAILED: ${faults.join('; ')}`
    process.stdout.write(`${what.padEnd(WIDTH)} ${verdict.trimEnd()}\n`)
  }

  /** What this machine cannot try. */
  notRun(what: string, why: string): void {
    process.stdout.write(`${what.padEnd(WIDTH)} not run: ${why}\n`)
  }

  /** The heading of faults under traffic. */
  heading(): void {
    process.stdout.write(`${HEADING}\n`)
  }

  /**
   * Lets a fault happen under traffic, and holds what was committed against what receivers saw.
   * @param isCalm every write must be answered well
   */
  async play(rig: Rig, fault: Fault, pace: Pace, isCalm = false): Promise<Outcome> {
    const outcome = await play(rig, fault, pace)
    const refused = isCalm && outcome.failed > 0 ? [`${outcome.failed} writes failed`] : []
    const broken = [...faultsOf(outcome), ...refused]
    if (broken.length > 0) this.failures++
    process.stdout.write(`${toLine(outcome, broken)}\n`)
    return outcome
  }
}
