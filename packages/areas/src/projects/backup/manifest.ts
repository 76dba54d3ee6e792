import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { invalidField } from '#platform/errors.ts'

/** Of the format of a backup. */
export const VERSION = 1

/** The names of what a backup has. */
export const DUMP = 'database.dump'
export const FILES = 'files.ndjson'
const MANIFEST = 'manifest.json'
export const manifestOf = (folder: string): string => join(folder, MANIFEST)

/** A line of the list of files. */
export interface FileLine {
  readonly key: string
  readonly size: number
  readonly sha256: string
}

/** What a backup has. It is written last, so that a backup without one is not whole. */
export interface Manifest {
  readonly version: number
  /** The moment whose rows the dump has; ISO 8601. */
  readonly at: string
  /** Of Guildhall. */
  readonly guildhall: string
  /** The newest migration. */
  readonly schema: string
  /** Major versions of the server and of pg_dump. */
  readonly postgresql: number
  readonly pg_dump: number
  /** The row of `installation`, which is not in the dump: a restore writes it first, and holds the copy by it. */
  readonly installation: Readonly<Record<string, unknown>>
  /** SHA-256 of the dump. */
  readonly dump: string
  /** Rows by table, without empty ones. */
  readonly rows: Readonly<Record<string, number>>
  readonly files: { readonly count: number; readonly bytes: number; readonly sha256: string }
  /** Objects of rows that the bucket did not have, in two moments one after the other: they were lost before. */
  readonly lost: readonly string[]
}

/** @throws ApiError 422 where the folder has no whole backup of this format */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(manifestOf(folder), 'utf8').catch(() => undefined)
  if (text === undefined) throw invalidField('from', 'exists', `has no ${MANIFEST}: the backup is not whole`)
  const manifest = JSON.parse(text) as Manifest
  if (manifest.version !== VERSION)
    throw invalidField('from', 'version', `must be a backup of the format ${VERSION}`)
  return manifest
}

/** SHA-256 of a file, in hexadecimal. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) hash.update(chunk)
  return hash.digest('hex')
}

/** Does work for each of what is given, some at a time. */
export async function forEach<T>(
  all: AsyncIterable<T> | Iterable<T>,
  atOnce: number,
  work: (each: T) => Promise<void>,
): Promise<void> {
  const source = (async function* () {
    yield* all
  })()
  const worker = async () => {
    for (;;) {
      const { done, value } = await source.next()
      if (done === true) return
      await work(value)
    }
  }
  try {
    await Promise.all(Array.from({ length: atOnce }, worker))
  } finally {
    await source.return(undefined)
  }
}
