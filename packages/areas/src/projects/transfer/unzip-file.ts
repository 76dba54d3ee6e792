import { createWriteStream } from 'node:fs'
import { mkdir, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { openPromise } from 'yauzl'
import { invalidField } from '#platform/errors.ts'

/**
 * Unpacks a ZIP into a folder. A name that leads out of the folder, and an entry that has more bytes than it says, are refused.
 * @throws ApiError 422 where it is no ZIP, is not whole, or has more bytes than the disk has room for
 */
export async function unzipFile(path: string, folder: string): Promise<void> {
  try {
    const { bavail, bsize } = await statfs(folder)
    const free = bavail * bsize
    let room = free
    const zip = await openPromise(path)
    try {
      for await (const entry of zip.eachEntry()) {
        room -= entry.uncompressedSize
        if (room < 0)
          throw invalidField('from', 'size', `has more bytes than the worker's disk has room for (${free})`)
        const to = join(folder, entry.fileName)
        if (entry.fileName.endsWith('/')) await mkdir(to, { recursive: true })
        else {
          await mkdir(dirname(to), { recursive: true })
          await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(to, { flags: 'wx' }))
        }
      }
    } finally {
      zip.close()
    }
  } catch (error) {
    if (error instanceof Error && error.name === 'ApiError') throw error
    throw invalidField('from', 'zip', `is no ZIP that can be unpacked: ${(error as Error).message}`, error)
  }
}
