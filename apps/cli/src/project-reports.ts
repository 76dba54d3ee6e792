import { type Command, Option } from 'commander'
import { auditOf } from '#areas/projects/audit.ts'
import { usageOf } from '#areas/projects/usage/usage.ts'
import { wholeNumber } from './option-values.ts'
import { print } from './print.ts'
import type { Run } from './project-state.ts'

/** The commands that tell what a project has used, and what was done with it. */
export function addProjectReports(project: Command, run: Run): void {
  const json = new Option('--json', 'print the result as one JSON object')
  project
    .command('usage <id>')
    .description(
      'print what a project has used by months: requests, active members, storage, mails, deliveries, events',
    )
    .addOption(json)
    .action((id: string, options: { json?: boolean }) =>
      run(async ({ operators }) => {
        const usage = await usageOf(operators, id)
        if (options.json) return print({ usage }, true)
        print(
          usage.flatMap(({ month, live, test }) => [
            { month, environment: 'live', ...live },
            { month, environment: 'test', ...test },
          ]),
          false,
        )
      }),
    )
  project
    .command('audit <id>')
    .description('print what was done with a project and in it: who, when, from where, before and after')
    .option('--since <time>', 'only what was done after this time, in ISO 8601')
    .option('--limit <n>', 'how many at the most, the newest first', wholeNumber, 1_000)
    .addOption(json)
    .action((id: string, { since, limit, json: asJson }: { since?: string; limit: number; json?: boolean }) =>
      run(async ({ operators }) => {
        const acts = await auditOf(operators, id, { since, limit })
        if (asJson) return print({ acts: acts.map(({ id: _, ...act }) => act) }, true)
        print(
          acts.map(({ at, environment, actor_kind, actor_id, action, target, reason }) => ({
            ...{ at, environment, by: actor_id ?? actor_kind, action, target, reason },
          })),
          false,
        )
      }),
    )
}
