import { Command, type Option } from 'commander'
import type { Config } from '#platform/config.ts'
import type { Filled } from './demo/fill.ts'
import { environmentOf, findPlace, type Operator, openOperator, type Place } from './operator.ts'
import { print } from './print.ts'

/** Nothing was filled; the message says why. */
export class NoDemo extends Error {
  override name = 'NoDemo'
}

/** The command that makes a demo project where there is no project, and fills it with 90 days of data. */
export function addSeedCommand(program: Command, json: Option): void {
  program
    .command('seed')
    .description('make data to look at')
    .addCommand(
      new Command('demo')
        .description(
          'make a demo project where there is no project, and fill it with 90 days of data. A run that was ended goes on where it stopped; a project of yours is never filled. Mail must be caught on this machine, as `npm start` does it',
        )
        .addOption(json)
        .action(async (options) => {
          const made = await seedProject(await findPlace())
          const { filled, ...demo } = await fillProject(await findPlace())
          if (options.json) return print({ ...made, ...demo, parts: filled }, true)
          print({ ...made, ...demo }, false)
          print(filled.length === 0 ? { parts: 'everything was there' } : [...filled], false)
        }),
    )
}

/** Makes the demo project where there is no project. @returns its keys, shown this once */
async function seedProject(place: Place): Promise<object> {
  const { seedDemo } = await import('./seed.ts')
  const keys = await seedDemo(place)
  return keys === undefined ? {} : { secret_key: keys.secretKey, public_key: keys.publicKey }
}

interface FilledProject {
  readonly project_id: string
  readonly filled: readonly Filled[]
}

/**
 * Fills the demo project, which is the first one that was made as a demo.
 * @throws NoDemo where there is none, or mail would leave this machine
 */
export async function fillProject(place: Place): Promise<FilledProject> {
  const { makeDemoPlace } = await import('./demo/place.ts')
  const { fillDemo, isDemo } = await import('./demo/fill.ts')
  const { listProjects, tenantOf } = await import('#areas/projects/service.ts')
  const { settings, receiverUrl } = await readSettings(place)
  if (settings.MAILBOX_DIR === undefined)
    throw new NoDemo(
      'Nothing was filled: the demo members would get mail from a real server. Run it beside `npm start`, which catches mail',
    )
  const operator: Operator = openOperator(place)
  try {
    for (const { id } of await listProjects(operator.operators)) {
      const data = await operator.dataOf(await tenantOf(operator.operators, id, 'test'))
      if (!(await isDemo(data))) continue
      const demo = makeDemoPlace(data, settings, { receiverUrl })
      try {
        return { project_id: id, filled: await fillDemo(demo, id) }
      } finally {
        demo.objects.close()
      }
    }
  } finally {
    await operator.close()
  }
  throw new NoDemo(
    'Nothing was filled: there is no demo project here, and a project of yours is never filled',
  )
}

/** What the API and the worker of this installation are set to. */
async function readSettings(place: Place): Promise<{ settings: Config; receiverUrl: string | undefined }> {
  const { parseConfig } = await import('#platform/parse-config.ts')
  const environment = await environmentOf(place)
  return { settings: parseConfig(environment), receiverUrl: environment['DEMO_RECEIVER_URL'] }
}
