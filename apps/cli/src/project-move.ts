import { readFile } from 'node:fs/promises'
import { parseEnv } from 'node:util'
import { type Command, Option } from 'commander'
import { COMMAND } from '#areas/projects/acts.ts'
import { invalidField } from '#platform/errors.ts'
import { environmentOf, findPlace } from './operator.ts'
import { wholeNumber } from './option-values.ts'
import { print } from './print.ts'

interface Options {
  readonly to: string
  readonly as: string
  readonly targetEnvironment: string
  readonly plan?: boolean
  readonly abort?: boolean
  readonly hold?: number
  readonly rest?: number
  readonly json?: boolean
}

/** The command by which a project moves to another installation while it is used. */
export function addProjectMove(project: Command): void {
  project
    .command('move <id>')
    .description(
      'move a project with both sides to another cell while it is used, by logical replication. Writing requests are answered 503 PROJECT_MOVING for some seconds; where wal_level is not logical, for as long as its rows are copied, which is said first. Run it with the environment of the processes, and the login of the owner. A move that was killed goes on with the same command',
    )
    .requiredOption('--to <cell>', 'the other cell, as `cell list` calls it here')
    .requiredOption('--as <cell>', 'this installation, as `cell list` calls it there')
    .requiredOption(
      '--target-environment <path>',
      "a file with the environment of the other cell's processes: DATABASE_URL with the login of the owner, SECRET_KEY, BASE_URL, S3_…",
    )
    .option('--plan', 'say what stands in the way and how much there is to copy, and change nothing')
    .option('--abort', 'take a move back that was killed before its switch')
    .option(
      '--hold <seconds>',
      'for how long writes may be held; default: 5, and 3600 where wal_level is not logical',
      wholeNumber,
    )
    .option(
      '--rest <seconds>',
      'for how long running jobs and deliveries are waited for; default: 60',
      wholeNumber,
    )
    .addOption(new Option('--json', 'print the result as one JSON object'))
    .action(move)
}

async function move(id: string, options: Options): Promise<void> {
  const { parseConfig } = await import('#platform/parse-config.ts')
  const { openInstallation } = await import('#areas/projects/move/installation.ts')
  const { abortMove, moveProject, planMove } = await import('#areas/projects/move/begin.ts')
  const { DEFAULT_LIMITS } = await import('#areas/projects/move/move.ts')
  const text = await readFile(options.targetEnvironment, 'utf8').catch((error) => {
    throw invalidField('target_environment', 'exists', 'cannot be read', error)
  })
  const source = await openInstallation(parseConfig(await environmentOf(await findPlace())), 'here')
  try {
    const target = await openInstallation(parseConfig(parseEnv(text)), 'target_environment')
    try {
      const { to: cell, as, json } = options
      const limits = {
        ...DEFAULT_LIMITS,
        ...(options.hold !== undefined && { holdMs: options.hold * 1_000, pauseMs: options.hold * 1_000 }),
        ...(options.rest !== undefined && { restMs: options.rest * 1_000 }),
      }
      const say = (line: string) => console.error(line)
      const parts = { source, target, cell, as, limits, by: COMMAND, say }
      if (options.plan) {
        const plan = await planMove(parts, id)
        print(plan, json)
        if (plan.faults.length > 0) process.exitCode = 1
      } else print(await (options.abort ? abortMove(parts, id) : moveProject(parts, id)), json)
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}
