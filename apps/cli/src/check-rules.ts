import { type Command, Option } from 'commander'
import { listProjects, tenantOf } from '#areas/projects/service.ts'
import type { Operator } from './operator.ts'

/** The command that lists rules of pages that are slow to check. */
export function addCheckRulesCommand(
  project: Command,
  run: (work: (operator: Operator) => Promise<void>) => Promise<void>,
): void {
  project
    .command('check-rules [id]')
    .description(
      'list page rules with more than 10 wildcards, in all projects or in one. They were made before there was a limit. They work, but checks of them are slow: ask for simpler patterns',
    )
    .addOption(new Option('--json', 'print the result as one JSON object'))
    .action((id: string | undefined, { json }: { json?: boolean }) =>
      run(async (operator) => {
        const rules = await listRules(operator, id)
        if (json) console.log(JSON.stringify({ rules }))
        else if (rules.length === 0) console.log('No rule has more than 10 wildcards.')
        else console.table(rules)
      }),
    )
}

async function listRules({ operators, dataOf }: Operator, id: string | undefined) {
  const { listRulesWithManyWildcards } = await import('#areas/member-content/rules/queries.ts')
  const ids = id === undefined ? (await listProjects(operators)).map((project) => project.id) : [id]
  const found = []
  for (const project of ids)
    for (const environment of ['live', 'test'] as const) {
      const data = await dataOf(await tenantOf(operators, project, environment))
      const rules = await listRulesWithManyWildcards(data)
      found.push(...rules.map((rule) => ({ project, environment, ...rule })))
    }
  return found
}
