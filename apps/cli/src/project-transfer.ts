import { readFile } from 'node:fs/promises'
import { type Command, Option } from 'commander'
import { COMMAND } from '#areas/projects/acts.ts'
import { invalidField } from '#platform/errors.ts'
import { environmentOf, findPlace, keysOf, openOperator, openOwner } from './operator.ts'
import { print } from './print.ts'

interface Options {
  readonly to?: string
  readonly from?: string
  readonly passphraseFile: string
  readonly json?: boolean
}

const SHORTEST = 12

/** The commands by which a whole project leaves an installation and enters another one. */
export function addProjectTransfer(project: Command): void {
  const json = new Option('--json', 'print the result as one JSON object')
  const passphrase = new Option(
    '--passphrase-file <path>',
    `a file with the passphrase of ${SHORTEST} characters or more under which secrets are sealed in the export`,
  ).makeOptionMandatory()
  project
    .command('export <id>')
    .description(
      'write all of a project, live and test, into a folder: NDJSON by table, files, and a manifest with counts and fingerprints. Run it with the environment of the processes, and the login of the owner',
    )
    .requiredOption('--to <folder>', 'a folder without an export; it is made where it is missing')
    .addOption(passphrase)
    .addOption(json)
    .action((id: string, options: Options) => transfer(options, options.to ?? '', id))
  project
    .command('import')
    .description(
      'read a project from such a folder, or from the ZIP that the console makes, with its ids: all of it or nothing. It arrives suspended; `project resume` starts it',
    )
    .requiredOption(
      '--from <path>',
      'the folder of an export, or its ZIP, which is unpacked into TMPDIR meanwhile',
    )
    .addOption(passphrase)
    .addOption(json)
    .action((options: Options) => transfer(options, options.from ?? ''))
}

/**
 * @param path of the export
 * @param id of a project to export; imports without it
 */
async function transfer({ passphraseFile, json }: Options, path: string, id?: string): Promise<void> {
  const passphrase = (await readFile(passphraseFile, 'utf8')).trim()
  if (passphrase.length < SHORTEST)
    throw invalidField(
      'passphrase_file',
      'length',
      `must have a passphrase of ${SHORTEST} characters or more`,
    )
  const place = await findPlace()
  const { Objects } = await import('#platform/storage/objects.ts')
  const { makeLog } = await import('#platform/telemetry/log.ts')
  const { parseConfig } = await import('#platform/parse-config.ts')
  const objects = new Objects(parseConfig(await environmentOf(place)), makeLog('silent', 'api'))
  const { operators, close } = openOperator(place)
  const owner = openOwner(place)
  try {
    const parts = { owner, operators, objects, secretKeys: keysOf(place), by: COMMAND, passphrase }
    if (id === undefined) {
      const { importProject } = await import('#areas/projects/transfer/import-project.ts')
      const { withArchive } = await import('#areas/projects/transfer/with-archive.ts')
      const imported = await withArchive(path, (folder) => importProject({ ...parts, folder }))
      return print({ ...imported, state: 'suspended' }, json)
    }
    const { exportProject } = await import('#areas/projects/transfer/export-project.ts')
    print(await exportProject({ ...parts, folder: path }, id), json)
  } finally {
    objects.close()
    await owner.end()
    await close()
  }
}
