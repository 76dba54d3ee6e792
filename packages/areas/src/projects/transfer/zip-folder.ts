import { readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'

/** A ZIP of all files of a folder, built while it is read. */
export async function zipFolder(folder: string): Promise<AsyncIterable<Buffer>> {
  const zip = new ZipFile()
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const entry of entries) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    zip.addFile(path, relative(folder, path).split(sep).join('/'))
  }
  const output = Readable.from(zip.outputStream)
  zip.once('error', (error: Error) => output.destroy(error))
  zip.end()
  return output
}
