import { openPool } from '../db/pool.ts'
import { readSending } from '../ops/sending.ts'
import { backlogOf } from '../ops/work-report.ts'
import { type Finding, fault, ok, type Patient, warning } from './finding.ts'

/** Seconds after which work that is due shows that nobody does it. */
const LATE_SECONDS = 60

/** Work that waits for longer than it should, and work that was given up. */
export async function examineWork({ databaseUrl, secretKey }: Patient): Promise<Finding[]> {
  const config = { DATABASE_URL: databaseUrl, SECRET_KEY: secretKey }
  const operators = openPool(config, { role: 'operator', size: 1, onError: () => undefined })
  try {
    const { held_since, held_because, jobs: waiting } = await readSending(operators)
    if (held_since !== null)
      return [
        fault(
          'work',
          `this installation has sent no mail and no webhook and taken no payment since ${held_since} (${held_because}); ${waiting} jobs wait`,
          'Run `guildhall sending resume` if it is to take the place of the original, which must not run any more',
        ),
      ]
    const { outbox, jobs } = await backlogOf(operators)
    const findings: Finding[] = []
    if (outbox.seconds > LATE_SECONDS)
      findings.push(
        fault(
          'work',
          `${outbox.rows} events and jobs have not been passed on, the oldest for ${Math.round(outbox.seconds)} s`,
          'Start a worker, or look at the log of those that run',
        ),
      )
    if (outbox.aside > 0)
      findings.push(
        warning(
          'work',
          `${outbox.aside} rows of the outbox were set aside`,
          'Look for "set aside" in the logs of the workers',
        ),
      )
    for (const { lane, late, due, failed } of jobs) {
      if (late > LATE_SECONDS)
        findings.push(
          fault(
            'work',
            `${due} jobs of the lane ${lane} are due, the oldest for ${Math.round(late)} s`,
            `Start a worker with --lanes ${lane}, or add one if all are busy`,
          ),
        )
      if (failed > 0)
        findings.push(
          warning(
            'work',
            `${failed} jobs of the lane ${lane} were given up`,
            'Look at /ops/queues, which has their errors',
          ),
        )
    }
    return findings.length > 0 ? findings : [ok('work', 'nothing waits for longer than a minute')]
  } finally {
    await operators.end()
  }
}
