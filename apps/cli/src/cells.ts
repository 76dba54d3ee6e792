import { readFile } from 'node:fs/promises'
import { type Command, Option } from 'commander'
import { addCell, listCells, removeCell } from '#platform/cells/manage-cells.ts'
import { findPlace, keysOf, openOwner, type Place } from './operator.ts'
import { print } from './print.ts'

interface Options {
  readonly url: string
  readonly secretFile?: string
  readonly allowHttp?: boolean
  readonly json?: boolean
}

/** The commands about other installations that projects can live in. */
export function addCellCommands(program: Command): void {
  const json = new Option('--json', 'print the result as one JSON object')
  const cell = program
    .command('cell')
    .description(
      'other installations between which projects can move; DATABASE_URL must have the login of the owner',
    )
  cell
    .command('add <name>')
    .description(
      'add another installation, or change its address and secret. Run it in both: the first one prints a secret, which the second one takes',
    )
    .requiredOption('--url <url>', 'where its API is reached from here, such as https://b.example')
    .option('--secret-file <file>', 'the secret that the other installation has printed')
    .option('--allow-http', 'take an address without TLS; keys and tokens go there')
    .addOption(json)
    .action((name: string, { url, secretFile, allowHttp, json: asJson }: Options) =>
      withOwner(async (owner, place) => {
        const secret = secretFile === undefined ? undefined : (await readFile(secretFile, 'utf8')).trim()
        const added = await addCell(owner, keysOf(place), { name, url, secret, allowHttp })
        print(secret === undefined ? added : { name: added.name, url: added.url }, asJson)
      }),
    )
  cell
    .command('list')
    .description('list the other installations, and how many sides of projects have moved there')
    .addOption(json)
    .action(({ json: asJson }: Options) =>
      withOwner(async (owner) => {
        const cells = await listCells(owner)
        print(asJson ? { cells } : cells, asJson)
      }),
    )
  cell
    .command('remove <name>')
    .description('remove an installation to which no project has moved')
    .addOption(json)
    .action((name: string, { json: asJson }: Options) =>
      withOwner(async (owner) => {
        await removeCell(owner, name)
        print({ name, removed: true }, asJson)
      }),
    )
}

async function withOwner(
  work: (owner: ReturnType<typeof openOwner>, place: Place) => Promise<void>,
): Promise<void> {
  const place = await findPlace()
  const owner = openOwner(place)
  try {
    await work(owner, place)
  } finally {
    await owner.end()
  }
}
