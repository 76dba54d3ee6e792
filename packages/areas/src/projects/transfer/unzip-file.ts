import { createWriteStream } from 'node:fs'
import { access, mkdir, readdir, statfs } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { openPromise } from 'yauzl'
import { invalidField } from '#platform/errors.ts'

/** What an export has, perhaps in one folder. All else is left where it is. */
const OF_AN_EXPORT =
  /^([^/]+\/)?(manifest\.json|files\.ndjson|(live|test)\/\w+\.ndjson|files(\/[\w.-]{1,255}){2,12})$/
/** The part of the disk's room that may be filled: others write to it, too. */
const PART = 0.9
const MANIFEST = 'manifest.json'

/** What an archive may still take of the disk. */
export interface Room {
  /** Bytes. */
  bytes: number
  /** Files and folders; many small ones fill a disk without bytes. */
  files: number
  /** Bytes that the smallest file takes. */
  readonly block: number
}

async function roomOf(folder: string): Promise<Room> {
  const { bavail, bsize, ffree } = await statfs(folder)
  // Some file systems have no number of files.
  return { bytes: bavail * bsize * PART, files: ffree > 0 ? ffree * PART : Infinity, block: bsize }
}

/**
 * Unpacks the ZIP of an export into a folder. A name that leads out of the folder, two files of one name, and an entry that has more bytes
 * than it says are refused.
 * @param given default: what the disk has
 * @returns the folder with the manifest: that one, or the only one in it, as where somebody has packed a folder
 * @throws ApiError 422 where it is no ZIP, is not whole, or has more bytes or files than the disk has room for
 */
export async function unzipFile(path: string, folder: string, given?: Room): Promise<string> {
  try {
    const room = given ?? (await roomOf(folder))
    const zip = await openPromise(path)
    try {
      for await (const entry of zip.eachEntry()) {
        if (!OF_AN_EXPORT.test(entry.fileName)) continue
        const to = join(folder, entry.fileName)
        take(room, entry.uncompressedSize, await makeFolder(dirname(to)))
        await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(to, { flags: 'wx' }))
      }
    } finally {
      zip.close()
    }
    return await folderOfExport(folder)
  } catch (error) {
    if (error instanceof Error && error.name === 'ApiError') throw error
    throw invalidField('from', 'zip', `is no ZIP that can be unpacked: ${reasonOf(error)}`, error)
  }
}

/** Makes a folder with those above it. @returns how many were not there */
async function makeFolder(path: string): Promise<number> {
  const first = await mkdir(path, { recursive: true })
  return first === undefined ? 0 : relative(dirname(first), path).split(sep).length
}

/** A file takes whole blocks, and its name a place in a folder; a new folder takes a block. @throws ApiError 422 */
function take(room: Room, size: number, folders: number): void {
  room.bytes -= Math.ceil(size / room.block + 1 + folders) * room.block
  room.files -= 1 + folders
  if (room.bytes < 0 || room.files < 0)
    throw invalidField('from', 'size', 'has more bytes or files than the disk has room for')
}

async function folderOfExport(folder: string): Promise<string> {
  const isHere = await access(join(folder, MANIFEST)).then(
    () => true,
    () => false,
  )
  if (isHere) return folder
  const [only, ...others] = await readdir(folder, { withFileTypes: true })
  return only?.isDirectory() && others.length === 0 ? join(folder, only.name) : folder
}

/** Errors of the disk name paths of this machine, which are nobody else's matter. */
function reasonOf(error: unknown): string {
  const { code, syscall, message } = error as NodeJS.ErrnoException
  if (syscall === undefined) return message
  return code === 'EEXIST' ? 'it has two files of one name' : `the disk answered ${code}`
}
