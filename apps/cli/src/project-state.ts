import { createInterface } from 'node:readline/promises'
import { type Command, Option } from 'commander'
import { COMMAND } from '#areas/projects/acts.ts'
import { deleteProject, GRACE_MS, restoreProject } from '#areas/projects/deletion.ts'
import { getProject } from '#areas/projects/service.ts'
import { resumeProject, suspendProject } from '#areas/projects/suspension.ts'
import { invalidField } from '#platform/errors.ts'
import type { Operator } from './operator.ts'
import { duration } from './option-values.ts'
import { print } from './print.ts'

export type Run = (work: (operator: Operator) => Promise<void>) => Promise<void>

interface Options {
  readonly reason?: string
  readonly name?: string
  readonly yes?: boolean
  readonly after?: number
  readonly json?: boolean
}

/** The commands that suspend a project, delete it, and take both back. */
export function addProjectState(project: Command, run: Run): void {
  const json = new Option('--json', 'print the result as one JSON object')
  const reason = new Option('--reason <text>', 'why, for `project audit`')
  project
    .command('suspend <id>')
    .description(
      'answer 403 PROJECT_SUSPENDED to all keys, tokens and pages of a project, end its streams, and let its webhooks, mails and jobs wait; nothing is lost',
    )
    .addOption(reason)
    .addOption(json)
    .action((id: string, options: Options) =>
      run(async ({ operators }) =>
        print(await suspendProject(operators, id, COMMAND, options), options.json),
      ),
    )
  project
    .command('resume <id>')
    .description('end the suspension of a project; what waited goes on in its order')
    .addOption(json)
    .action((id: string, options: Options) =>
      run(async ({ operators }) => print(await resumeProject(operators, id, COMMAND), options.json)),
    )
  project
    .command('delete <id>')
    .description(
      'end the keys and tokens of a project at once, and remove its rows and files, of both sides, after some days',
    )
    .option(
      '--name <name>',
      'the name of the project, as the confirmation; it is asked for where it is missing',
    )
    .option('--yes', 'confirm without the name')
    .option('--after <7d>', 'for how long it can be restored', duration)
    .addOption(reason)
    .addOption(json)
    .action((id: string, options: Options) => run((operator) => remove(operator, id, options)))
  project
    .command('restore <id>')
    .description('take the deletion of a project back, before its removal has begun')
    .addOption(json)
    .action((id: string, options: Options) =>
      run(async ({ operators }) => print(await restoreProject(operators, id, COMMAND), options.json)),
    )
}

async function remove({ operators }: Operator, id: string, options: Options): Promise<void> {
  const { name: known } = await getProject(operators, id)
  const { reason, after: graceMs = GRACE_MS } = options
  const name = options.name ?? (options.yes ? known : await askName(known, graceMs))
  print(await deleteProject(operators, id, COMMAND, { name, reason, graceMs }), options.json)
}

/** Says what will happen, and asks for the name. */
async function askName(name: string, graceMs: number): Promise<string> {
  const hours = Math.round(graceMs / 3_600_000)
  console.error(`Deletes the project "${name}", live and test.
Its keys, tokens and pages end at once. It can be restored for ${hours} h with \`project restore\`.
Then all of its rows and files are removed, which cannot be undone.`)
  if (!process.stdin.isTTY)
    throw invalidField('name', 'required', 'must confirm it where nobody can be asked, or use --yes')
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await terminal.question('The name of the project, to confirm: ')
  } finally {
    terminal.close()
  }
}
