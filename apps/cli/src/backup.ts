import { type Command, Option } from 'commander'
import { environmentOf, findPlace, type Operator, openOwner } from './operator.ts'
import { print } from './print.ts'

type Run = (work: (operator: Operator) => Promise<void>) => Promise<void>

interface Options {
  readonly to?: string
  readonly from?: string
  readonly json?: boolean
}

const KEY = 'SECRET_KEY is not in it. Keep it elsewhere: without it nothing sealed can be read again'

/** The commands that back an installation up, make one of a backup, and have the copy send. */
export function addBackupCommands(program: Command, run: Run): void {
  const json = new Option('--json', 'print the result as one JSON object')
  program
    .command('backup')
    .description(
      'write the database and the bucket as they are at one moment into an empty folder; requests go on. It needs pg_dump, the environment of the processes, and a login that reads the rows of all projects',
    )
    .requiredOption('--to <folder>', 'an empty folder; it is made where it is missing')
    .addOption(json)
    .action((options: Options) => backUpOrRestore(options))
  program
    .command('restore')
    .description(
      'make an installation of such a folder, in an empty database and a bucket. It sends no mail and no webhook and takes no payment until `sending resume`',
    )
    .requiredOption('--from <folder>', 'the folder of a backup')
    .addOption(json)
    .action((options: Options) => backUpOrRestore(options))
  const sending = program
    .command('sending')
    .description('hold and resume what the installation does by itself: mails, webhooks, schedules, payments')
  sending
    .command('status')
    .description('say whether it sends, and what waits')
    .addOption(json)
    .action((options: Options) =>
      run(async ({ operators }) => print(await (await loadSending()).readSending(operators), options.json)),
    )
  sending
    .command('hold')
    .description('hold it, such as before a copy is started that was made in another way than by `restore`')
    .addOption(json)
    .action((options: Options) =>
      run(async ({ operators }) =>
        print(await (await loadSending()).holdSending(operators, 'by the command'), options.json),
      ),
    )
  sending
    .command('resume')
    .description(
      'have it send again. The original of a copy must not run any more, or customers get everything twice',
    )
    .addOption(json)
    .action((options: Options) =>
      run(async ({ operators }) => print(await (await loadSending()).resumeSending(operators), options.json)),
    )
}

const loadSending = () => import('#platform/ops/sending.ts')

async function backUpOrRestore({ to, from = '', json }: Options): Promise<void> {
  const place = await findPlace()
  const { Objects } = await import('#platform/storage/objects.ts')
  const { makeLog } = await import('#platform/telemetry/log.ts')
  const { parseConfig } = await import('#platform/parse-config.ts')
  const { databaseUrl, directUrl = databaseUrl, secretKey } = place
  const objects = new Objects(parseConfig(await environmentOf(place)), makeLog('silent', 'api'))
  const owner = openOwner(place)
  try {
    const parts = { owner, databaseUrl: directUrl, secretKey, objects, folder: to ?? from }
    if (to !== undefined) {
      const { backUp } = await import('#areas/projects/backup/backup.ts')
      return print({ ...(await backUp(parts)), note: KEY }, json)
    }
    const { restore } = await import('#areas/projects/backup/restore.ts')
    const note = 'It sends nothing and takes no payment until `guildhall sending resume`'
    print({ ...(await restore(parts)), note }, json)
  } finally {
    objects.close()
    await owner.end()
  }
}
