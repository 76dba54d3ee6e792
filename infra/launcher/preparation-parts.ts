/** What has to be true of the database before the API starts: migrated, and with a demo project. */

import { listProjects, type Project } from '#areas/projects/service.ts'
import { readPlace } from '#platform/config.ts'
import { migrate } from '#platform/migrate/migrate.ts'
import { openOperator, type Place } from '../../apps/cli/src/operator.ts'
import { StartError } from '../start-error.ts'
import type { DataFolder, Keys } from './data-folder.ts'
import { placeOf } from './database-part.ts'
import { type Environment, nothingToStop, type Part } from './part.ts'

function access(environment: Environment): { databaseUrl: string; secretKey: string } {
  return { databaseUrl: environment.DATABASE_URL ?? '', secretKey: environment.SECRET_KEY ?? '' }
}

/** A database that has the newest schema when it has started. */
export function migrated(database: Part): Part {
  return {
    ...database,
    async start(environment) {
      const own = await database.start(environment)
      try {
        const { databaseUrl, secretKey } = access({ ...environment, ...own })
        const { DATABASE_URL: given, DATABASE_DIRECT_URL: direct } = readPlace()
        const place = given === undefined ? databaseUrl : (direct ?? databaseUrl)
        // In a folder of its own it is the only version that runs.
        await migrate({ databaseUrl: place, secretKey, contract: given === undefined })
      } catch (cause) {
        throw new StartError(`The database could not be migrated: ${(cause as Error).message}`, { cause })
      }
      return own
    },
  }
}

async function seedDemo(place: Place): Promise<Keys | undefined> {
  const seed = await import('../../apps/cli/src/seed.ts')
  return seed.seedDemo(place)
}

async function firstProject(environment: Environment): Promise<Project | undefined> {
  const operator = openOperator(access(environment))
  try {
    return (await listProjects(operator.operators))[0]
  } finally {
    await operator.close()
  }
}

/** Who the first visit logs in: an administrator who owns the demo project. */
const FIRST = { email: 'operator@example.com', name: 'First operator', administrator: true }

/** A token that logs the first operator in from this machine, once. */
async function logInFirst(environment: Environment, project: Project | undefined): Promise<string> {
  const { ensureOperator, giveRole } = await import('../../apps/cli/src/operators.ts')
  const operator = openOperator(access(environment))
  try {
    const { login_token } = await ensureOperator(operator, FIRST, true)
    if (project) await giveRole(operator, FIRST.email, project.id, 'owner')
    return login_token
  } finally {
    await operator.close()
  }
}

/** Makes the demo project where there is none, and hands over its keys, the same at every start. */
export function demoProject(
  folder: DataFolder,
  embedded: boolean,
  onFound: (keys: Keys | undefined, project: Project | undefined) => void,
  onLogin?: (token: string) => void,
): Part {
  return {
    name: 'the demo project',
    async start(environment) {
      const { databaseUrl } = access(environment)
      // The embedded server's port may change, the database stays the same.
      const database = embedded ? 'embedded' : placeOf(databaseUrl)
      const found = await firstProject(environment)
      // What makes it takes as long to load as the API.
      const made = found ? undefined : await seedDemo(access(environment))
      if (made) await folder.keepKeys(database, made)
      const project = found ?? (await firstProject(environment))
      onFound(made ?? (await folder.keys(database)), project)
      onLogin?.(await logInFirst(environment, project))
      return {}
    },
    stop: nothingToStop,
  }
}
