import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { invalidField } from '#platform/errors.ts'
import { linesOf, objectOf } from './archive-lines.ts'
import type { TransferParts } from './export-project.ts'
import type { FileLine, Manifest } from './manifest.ts'

const LIST = 'files.ndjson'
/** An object below the folder of a side. */
const KEY = /^[0-9a-f-]{36}(\/[\w.-]+)+$/

type Parts = Pick<TransferParts, 'objects' | 'folder'>

/** Below it lies the mark of an import whose files are being put: what one that was killed has left may be replaced. */
const markFolder = ({ projects }: Manifest) => `project-imports/files-of-${projects[0]?.id}/`

/**
 * Begins to put files. None may be there: they would be of another installation that uses the same bucket, and an import that is broken
 * off would remove them.
 * @throws ApiError 422 where some are there already
 */
export async function beginFiles({ objects }: Parts, manifest: Manifest): Promise<void> {
  const mark = `${markFolder(manifest)}mark`
  if ((await objects.sizeOf(mark)) !== undefined) return
  for (const { id } of manifest.projects)
    for await (const _ of objects.list(`${id}/`))
      throw invalidField(
        'from',
        'unique',
        `has a project whose files are in the bucket already: another installation may use this bucket. If none does, remove what is below ${id}/ and import again`,
      )
  await objects.put(mark, toChunks('being imported'))
}

async function* toChunks(text: string) {
  yield Buffer.from(text)
}

/** All files are put: from here on no other import may replace or remove them. */
export async function keepFiles({ objects }: Parts, manifest: Manifest): Promise<void> {
  await objects.removeBelow(markFolder(manifest))
}

/** Removes what was put. May be repeated. */
export async function removeFiles(parts: Parts, manifest: Manifest): Promise<void> {
  for (const { id } of manifest.projects) await parts.objects.removeBelow(`${id}/`)
  await keepFiles(parts, manifest)
}

/** Puts the files back, each compared with its fingerprint. @throws ApiError 422 where one is missing or was changed */
export async function readFiles({ objects, folder }: Parts, { files, projects }: Manifest): Promise<void> {
  const list = createHash('sha256')
  let count = 0
  for await (const text of linesOf(folder, LIST)) {
    list.update(`${text}\n`)
    const { key, sha256 } = objectOf<FileLine>(text, LIST)
    const isOurs =
      typeof key === 'string' &&
      KEY.test(key) &&
      !key.includes('..') &&
      projects.some(({ id }) => key.startsWith(`${id}/`))
    if (!isOurs) throw invalidField('from', 'file', `has a file of another project: ${key}`)
    const path = join(folder, 'files', key)
    await access(path).catch((error) => {
      throw invalidField('from', 'file', `lacks the file ${key}`, error)
    })
    const hash = createHash('sha256')
    const watched = async function* () {
      for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
        hash.update(chunk)
        yield chunk
      }
    }
    await objects.put(key, watched())
    if (hash.digest('hex') !== sha256)
      throw invalidField('from', 'file', `has another file than it says: ${key}`)
    count += 1
  }
  if (count !== files.count || list.digest('hex') !== files.sha256)
    throw invalidField('from', 'file', 'has another list of files than its manifest says')
}
