import { type Command, Option } from 'commander'
import { listProjects, tenantOf } from '#areas/projects/service.ts'
import { deliveryId } from '#areas/webhooks/ids.ts'
import type { ProjectData } from '#platform/db/tenant.ts'
import { notFound } from '#platform/errors.ts'
import { idFromPath } from '#platform/ids.ts'
import type { Operator } from './operator.ts'

type Explain = (data: ProjectData, id: string) => Promise<string[] | undefined>

/** What can be asked about: the stored form of its id, and what explains it. */
const SUBJECTS: Readonly<Record<string, { parse: (id: string) => string; load: () => Promise<Explain> }>> = {
  delivery: {
    parse: (id) => idFromPath(deliveryId, id),
    load: async () => (await import('#areas/webhooks/log/why-delivery.ts')).whyDelivery,
  },
  member: {
    parse: (id) => idFromPath('member', id),
    load: async () => (await import('#areas/auth/why-member.ts')).whyMember,
  },
  // The ids of jobs in logs and at /ops/queues are UUIDs.
  job: { parse: (id) => id, load: async () => (await import('#platform/jobs/why-job.ts')).whyJob },
}

/** The command that answers the questions of a night. */
export function addWhyCommand(
  program: Command,
  run: (work: (operator: Operator) => Promise<void>) => Promise<void>,
): void {
  const why = program.command('why').description('say why something is as it is')
  for (const [subject, { parse, load }] of Object.entries(SUBJECTS))
    why
      .command(`${subject} <id>`)
      .description(DESCRIPTIONS[subject] ?? '')
      .option('--project <id>', 'look only in this project, which is faster')
      .addOption(new Option('--json', 'print the result as one JSON object'))
      .action((id: string, options: { project?: string; json?: boolean }) =>
        run(async (operator) => {
          const stored = parse(id)
          const found = await search(operator, options.project, await load(), stored)
          if (found === undefined) throw notFound(`${subject[0]?.toUpperCase()}${subject.slice(1)}`)
          if (options.json) console.log(JSON.stringify({ id, ...found }))
          else console.log([`Project ${found.project}, ${found.environment}`, ...found.why].join('\n'))
        }),
      )
}

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  delivery: 'why an event was delivered to an endpoint, or was not',
  member: 'why a member can log in, or cannot',
  job: 'why a job waits, or what came of it',
}

/** Looks through the projects until one has it. */
async function search(
  { operators, dataOf }: Operator,
  only: string | undefined,
  explain: Explain,
  id: string,
) {
  const projects = only === undefined ? (await listProjects(operators)).map((project) => project.id) : [only]
  for (const project of projects)
    for (const environment of ['live', 'test'] as const) {
      const why = await explain(await dataOf(await tenantOf(operators, project, environment)), id)
      if (why !== undefined) return { project, environment, why }
    }
  return undefined
}
