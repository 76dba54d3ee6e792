import { type Command, Option } from 'commander'
import { validate as isUuid } from 'uuid'
import { listProjects, tenantOf } from '#areas/projects/service.ts'
import { deliveryId } from '#areas/webhooks/ids.ts'
import type { ProjectData } from '#platform/db/tenant.ts'
import { ApiError, notFound } from '#platform/errors.ts'
import { idFromPath, parseId } from '#platform/ids.ts'
import { askGuesses } from './guesses.ts'
import type { Operator } from './operator.ts'

/** What is said of each thing that was found in a side of a project; undefined where nothing was. */
type Explain = (data: ProjectData) => Promise<string[] | undefined>

interface Subject {
  readonly description: string
  /** Loads what explains a thing. @throws ApiError where the text names none */
  explain(asked: string, operator: Operator): Promise<Explain>
}

/** What can be asked about. */
const SUBJECTS: Readonly<Record<string, Subject>> = {
  delivery: {
    description:
      'why an event was delivered to an endpoint, or was not: the id of a delivery, or of an event, which receivers get as webhook-id',
    explain: async (asked, { operators }) => {
      const { whyDelivery, whyEvent } = await import('#areas/webhooks/log/why-delivery.ts')
      const event = parseId('event', asked)
      if (event === undefined) {
        const id = idFromPath(deliveryId, asked)
        return (data) => whyDelivery(data, id)
      }
      const waits = async (id: string) => {
        const { rows } = await operators.query<{ created_at: string }>(
          'select created_at from outbox where id = $1',
          [id],
        )
        return rows[0] && new Date(rows[0].created_at)
      }
      return (data) => whyEvent(data, event, waits)
    },
  },
  member: {
    description: 'why a member can log in, or cannot: the id of the member, or the address',
    explain: async (asked) => {
      const { membersByAddress, whyMember } = await import('#areas/auth/why-member.ts')
      if (!asked.includes('@')) {
        const id = idFromPath('member', asked)
        return (data) => whyMember(data, id, askGuesses)
      }
      return async (data) => {
        const ids = await membersByAddress(data, asked)
        const told = await Promise.all(ids.map((id) => whyMember(data, id, askGuesses)))
        return ids.length === 0 ? undefined : told.flatMap((each) => each ?? [])
      }
    },
  },
  job: {
    description: 'why a job waits, or what came of it: the id in logs and at /ops/queues',
    explain: async (asked) => {
      const { whyJob } = await import('#platform/jobs/why-job.ts')
      if (!isUuid(asked))
        throw new ApiError(
          400,
          'INVALID_PARAMETERS',
          `${asked} is no id of a job: logs (job_id) and /ops/queues have them, like 01a22137-c55d-7035-8b4d-b5ec4df9d1d5`,
        )
      return (data) => whyJob(data, asked)
    },
  },
}

/** The command that answers the questions of a night. */
export function addWhyCommand(
  program: Command,
  run: (work: (operator: Operator) => Promise<void>) => Promise<void>,
): void {
  const why = program.command('why').description('say why something is as it is')
  for (const [name, subject] of Object.entries(SUBJECTS))
    why
      .command(`${name} <id>`)
      .description(subject.description)
      .option('--project <id>', 'look only in this project, which is faster')
      .addOption(new Option('--json', 'print the result as one JSON object'))
      .action((asked: string, options: { project?: string; json?: boolean }) =>
        run(async (operator) => {
          const found = await search(operator, options.project, await subject.explain(asked, operator), {
            isOne: !asked.includes('@'),
          })
          const [first] = found
          if (first === undefined) throw notFound(`${name[0]?.toUpperCase()}${name.slice(1)}`)
          if (options.json) console.log(JSON.stringify({ id: asked, ...first, others: found.slice(1) }))
          else
            for (const { project, environment, why: lines } of found)
              console.log([`Project ${project}, ${environment}`, ...lines].join('\n'))
        }),
      )
}

interface Found {
  readonly project: string
  readonly environment: 'live' | 'test'
  readonly why: string[]
}

/** Looks through the projects: until one has it where only one can, otherwise through all. */
async function search(
  { operators, dataOf }: Operator,
  only: string | undefined,
  explain: Explain,
  { isOne }: { isOne: boolean },
): Promise<Found[]> {
  const projects = only === undefined ? (await listProjects(operators)).map((project) => project.id) : [only]
  const found: Found[] = []
  for (const project of projects)
    for (const environment of ['live', 'test'] as const) {
      const why = await explain(await dataOf(await tenantOf(operators, project, environment)))
      if (why !== undefined) found.push({ project, environment, why })
      if (isOne && found.length > 0) return found
    }
  return found
}
