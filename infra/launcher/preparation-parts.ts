/** What has to be true of the database before the API starts: migrated, and with a demo project. */
import { migrate } from '#platform/db/migrate.ts'
import { seedDemo } from '../../apps/cli/src/seed.ts'
import { StartError } from '../start-error.ts'
import type { DataFolder, Keys } from './data-folder.ts'
import { placeOf } from './database-part.ts'
import type { Environment, Part } from './part.ts'

const nothingToStop = () => Promise.resolve()

function access(environment: Environment): { databaseUrl: string; secretKey: string } {
  return { databaseUrl: environment.DATABASE_URL ?? '', secretKey: environment.SECRET_KEY ?? '' }
}

/** Brings the database to the newest schema. */
export function schema(): Part {
  return {
    name: 'the schema',
    async start(environment) {
      try {
        await migrate(access(environment))
      } catch (cause) {
        throw new StartError(`The database could not be migrated: ${(cause as Error).message}`, { cause })
      }
      return {}
    },
    stop: nothingToStop,
  }
}

/** Makes the demo project where there is none, and hands over its keys, the same at every start. */
export function demoProject(
  folder: DataFolder,
  embedded: boolean,
  onKeys: (keys: Keys | undefined) => void,
): Part {
  return {
    name: 'the demo project',
    async start(environment) {
      const { databaseUrl } = access(environment)
      // The embedded server's port may change, the database stays the same.
      const database = embedded ? 'embedded' : placeOf(databaseUrl)
      const made = await seedDemo(access(environment))
      if (made) await folder.keepKeys(database, made)
      onKeys(made ?? (await folder.keys(database)))
      return {}
    },
    stop: nothingToStop,
  }
}
