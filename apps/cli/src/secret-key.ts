import { type Command, Option } from 'commander'
import { findPlace, keysOf } from './operator.ts'
import { print } from './print.ts'

const load = () => import('#platform/migrate/rotate-secret-key.ts')

/** The commands by which a new SECRET_KEY takes over while everything runs. */
export function addSecretKeyCommands(program: Command): void {
  const json = new Option('--json', 'print the result as one JSON object')
  const secretKey = program
    .command('secret-key')
    .description('let a new SECRET_KEY take over; DATABASE_URL must have the login of the owner')
  const add = (name: 'status' | 'prepare' | 'rotate', description: string) =>
    secretKey
      .command(name)
      .description(description)
      .addOption(json)
      .action(async (options: { json?: boolean }) => {
        const place = await findPlace()
        const { databaseUrl, directUrl = databaseUrl } = place
        const { SECRET_KEY, SECRET_KEY_OLD, SECRET_KEY_NEW } = keysOf(place)
        // Before a rotation the present key is the one that processes call the old one.
        const keys =
          SECRET_KEY_NEW === undefined
            ? { SECRET_KEY, SECRET_KEY_OLD }
            : { SECRET_KEY: SECRET_KEY_NEW, SECRET_KEY_OLD: SECRET_KEY }
        const { prepareRotation, readKeyStatus, rotateSecretKey } = await load()
        const work = { status: readKeyStatus, prepare: prepareRotation, rotate: rotateSecretKey }[name]
        print(await work({ databaseUrl: directUrl, keys }), options.json)
      })
  add('status', 'say how many projects have keys of their own, and by which SECRET_KEY these are wrapped')
  add(
    'prepare',
    'give each project a key of its own, with which a worker seals its secrets anew; when no process of an older version runs any more',
  )
  add(
    'rotate',
    'let SECRET_KEY take over from SECRET_KEY_OLD, when all processes have been started with both. It can be killed and repeated',
  )
}
