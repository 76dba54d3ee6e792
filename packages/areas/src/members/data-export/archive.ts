import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { WholeSource } from '#areas/exports/service.ts'
import type { JobRun } from '#platform/jobs/define-job.ts'
import type { People, PersonalContent, PersonalData, PersonalPage } from '#platform/personal-data.ts'

/** Records that are read at a time. */
const PAGE = 500

/**
 * An archive (ZIP) of everything that any area holds on a member: a file of JSON for each table, and beside it the bytes
 * that belong to its records. It is put together while it is read, and nothing of it is held.
 */
export async function archiveOf({ inProject, deps, log }: JobRun, people: People): Promise<WholeSource> {
  const zip = new ZipFile()
  let rows = 0

  const read = (part: PersonalData, after: string | null) =>
    inProject((ctx) => part.list(ctx, people, after, PAGE))

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
    // Deleted since the archive was begun.
    if (object === undefined) log.warn({ key }, 'an object is not there to be archived')
    else yield* object.body as AsyncIterable<Buffer>
  }

  const add = (path: string, content: () => AsyncIterable<string | Buffer>) =>
    zip.addReadStreamLazy(path, (open) => open(null, Readable.from(content(), { objectMode: false })))

  for (const part of deps.catalogue.memberData) {
    add(`${part.table}.json`, () => textOf(part))
    const contents = part.contents
    if (contents === undefined) continue
    for (const content of await inProject((ctx) => contents(ctx, people)))
      add(`${part.table}/${content.path}`, () => bytesOf(content))
  }
  const output = Readable.from(zip.outputStream)
  zip.once('error', (error: Error) => output.destroy(error))
  zip.end()
  return { bytes: output, rows: () => rows }
}
