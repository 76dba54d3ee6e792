import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { WholeSource } from '#areas/exports/service.ts'
import type {
  People,
  PersonalContent,
  PersonalData,
  PersonalPage,
} from '#platform/catalogue/personal-data.ts'
import type { JobRun } from '#platform/jobs/define-job.ts'

/** The number of records that are read together. */
const PAGE = 500

/**
 * An archive (ZIP) of everything that any area stores about a member: a README, a JSON file for each kind of record,
 * and the files that belong to the records. It is built while it is read.
 */
export async function archiveOf({ write, deps, log }: JobRun, people: People): Promise<WholeSource> {
  const zip = new ZipFile()
  let rows = 0

  const read = (part: PersonalData, after: string | null) =>
    write((ctx) => part.list(ctx, people, after, PAGE))

  async function* textOf(part: PersonalData): AsyncGenerator<string> {
    yield '['
    let separator = '\n'
    let after: string | null = null
    for (;;) {
      const page: PersonalPage = await read(part, after)
      if (page.last === null) break
      yield separator + page.records.map((record) => JSON.stringify(record)).join(',\n')
      rows += page.records.length
      separator = ',\n'
      after = page.last
    }
    yield '\n]\n'
  }

  async function* bytesOf({ key }: PersonalContent): AsyncGenerator<Buffer> {
    const object = await deps.objects.get(key)
    // The file was deleted after the archive was begun.
    if (object === undefined) log.warn({ key }, 'an object is not there to be archived')
    else yield* object.body as AsyncIterable<Buffer>
  }

  const add = (path: string, content: () => AsyncIterable<string | Buffer>) =>
    zip.addReadStreamLazy(path, (open) => open(null, Readable.from(content(), { objectMode: false })))

  const isEmpty = async (part: PersonalData) =>
    (await write((ctx) => part.list(ctx, people, null, 1))).last === null

  const files: string[] = []
  for (const part of deps.catalogue.memberData) {
    if (await isEmpty(part)) continue
    const name = nameOf(part)
    files.push(`${name}.json`)
    add(`${name}.json`, () => textOf(part))
    const contents = part.contents
    if (contents === undefined) continue
    for (const content of await write((ctx) => contents(ctx, people)))
      add(`${name}/${content.path}`, () => bytesOf(content))
  }
  zip.addBuffer(Buffer.from(readme(files)), 'README.txt')
  const output = Readable.from(zip.outputStream)
  zip.once('error', (error: Error) => output.destroy(error))
  zip.end()
  return { bytes: output, rows: () => rows }
}

/** Names of files that tell more than those of the tables. */
const NAMES: Readonly<Record<string, string>> = {
  members: 'member',
  member_passwords: 'password',
  one_time_tokens: 'links-and-codes',
  mfa_factors: 'authenticator-apps',
  sso_identities: 'single-sign-on',
  mail_suppressions: 'blocked-addresses',
  grants: 'what-the-member-was-granted',
}

const nameOf = ({ table }: PersonalData): string => NAMES[table] ?? table.replaceAll('_', '-')

const readme = (
  files: readonly string[],
): string => `This archive has all data that is stored about one member.

Each .json file is a list of records of one kind. Their fields have the names of the API. A kind without records has no file.
Folders have files that belong to records: files/<id>/<name>. Passwords, keys and hashes are not included; password.json only
says when the password was changed. Times are in UTC (ISO 8601). Amounts are in major units of their currency, like 19.99.

Files:

${files.map((file) => `- ${file}`).join('\n')}
`
