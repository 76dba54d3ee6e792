import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { invalidField } from '#platform/errors.ts'
import type { Objects } from '#platform/storage/objects.ts'
import { FILES, type FileLine, forEach, type Manifest, sha256Of } from './manifest.ts'

export type Bucket = Pick<Objects, 'isSetUp' | 'list' | 'get' | 'put'>

/** Objects that are copied at a time: a bucket answers slowly, and each copy is streamed. */
const AT_ONCE = 8

/** The objects of projects on their way into a folder. A key stands for the same bytes for ever, so none is copied twice. */
export class CopiedObjects {
  readonly #bucket: Bucket
  readonly #folder: string
  readonly #copied = new Map<string, FileLine>()

  constructor(bucket: Bucket, folder: string) {
    this.#bucket = bucket
    this.#folder = folder
  }

  has(key: string): boolean {
    return this.#copied.has(key)
  }

  /** Copies what is there now and was not copied yet. What is removed meanwhile is left out. */
  async add(projects: readonly string[]): Promise<void> {
    if (!this.#bucket.isSetUp) return
    for (const id of projects)
      await forEach(this.#bucket.list(`${id}/`), AT_ONCE, async ({ key }) => {
        if (!this.#copied.has(key)) await this.#copy(key)
      })
  }

  async #copy(key: string): Promise<void> {
    const object = await this.#bucket.get(key)
    if (object === undefined) return
    const path = join(this.#folder, 'files', key)
    await mkdir(dirname(path), { recursive: true })
    const hash = createHash('sha256')
    let size = 0
    const watched = async function* () {
      for await (const chunk of object.body as AsyncIterable<Buffer>) {
        hash.update(chunk)
        size += chunk.length
        yield chunk
      }
    }
    await pipeline(Readable.from(watched(), { objectMode: false }), createWriteStream(path))
    this.#copied.set(key, { key, size, sha256: hash.digest('hex') })
  }

  /** Writes the list of what was copied. */
  async writeList(): Promise<Manifest['files']> {
    const lines = [...this.#copied.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    await writeFile(join(this.#folder, FILES), text)
    return {
      count: lines.length,
      bytes: lines.reduce((sum, { size }) => sum + size, 0),
      sha256: createHash('sha256').update(text).digest('hex'),
    }
  }
}

const KEY = /^[0-9a-f-]{36}(\/[\w.-]+)+$/

/**
 * Puts the files of a backup into the bucket, each compared with its fingerprint.
 * @throws ApiError 422 where one is missing or was changed
 */
export async function putObjects(bucket: Bucket, folder: string, { files }: Manifest): Promise<void> {
  const list = join(folder, FILES)
  if ((await sha256Of(list)) !== files.sha256)
    throw invalidField('from', 'file', 'has another list of files than its manifest says')
  const lines = createInterface({ input: createReadStream(list, 'utf8') })
  await forEach(lines, AT_ONCE / 2, async (text) => {
    const { key, sha256 } = JSON.parse(text) as FileLine
    if (!KEY.test(key) || key.includes('..'))
      throw invalidField('from', 'file', `has a file of no project: ${key}`)
    const path = join(folder, 'files', key)
    const found = await sha256Of(path).catch((error) => {
      throw invalidField('from', 'file', `lacks the file ${key}`, error)
    })
    if (found !== sha256) throw invalidField('from', 'file', `has another file than it says: ${key}`)
    await bucket.put(key, createReadStream(path) as AsyncIterable<Buffer>)
  })
}
