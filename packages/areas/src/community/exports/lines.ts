import type { Readable } from 'node:stream'
import { toId } from '#platform/ids.ts'
import type { Objects } from '#platform/storage/objects.ts'
import { type Named, RESOURCES, ROWS, rowTypeOf } from '../line-types.ts'

type Line = Record<string, unknown>

/** Bytes of a file in one line: a multiple of 3, which Base64 needs no padding for. */
const PART_BYTES = 384 * 1024
/** Bytes of lines that are sent together. */
const CHUNK_BYTES = 64 * 1024

/** The fields with ids of lines that are no rows of one table. */
const IDS: Readonly<Record<string, Readonly<Record<string, Named>>>> = {
  member: { id: 'member' },
  category: { id: 'category' },
  file: { id: 'file', owner_id: 'member' },
  answer: { discussion_id: 'discussion', comment_id: 'comment' },
  merge: { feedback_id: 'feedback', into: 'feedback' },
  ...Object.fromEntries(
    Object.keys(ROWS).map((record) => [
      record,
      Object.fromEntries(
        Object.entries(rowTypeOf(record)?.fields ?? {}).flatMap(([name, { of }]) =>
          of === undefined ? [] : [[name, of] as const],
        ),
      ),
    ]),
  ),
}

/** A file whose bytes follow: of a hundred thousand files they are some megabytes. */
interface Content {
  readonly id: string
  readonly object: string
}

interface Source {
  /** Rows of `exportSql`. */
  readonly rows: Readable
  readonly objects: Objects
  readonly projectId: string
  /** Called for a file whose bytes are gone. */
  missing(fileId: string): void
}

/**
 * The lines of an export, in chunks: those of the rows, and then the bytes of files in parts. Of all of it a few chunks are in
 * memory at a time. The rows are read before the first file, so that no transaction waits for files.
 */
export async function* exportLines({ rows, objects, projectId, missing }: Source): AsyncGenerator<Buffer> {
  const contents: Content[] = []
  let out = ''
  for await (const row of linesOf(rows)) {
    const { object_id, ...line } = JSON.parse(row) as Line
    if (line['record'] === 'file') contents.push({ id: String(line['id']), object: String(object_id) })
    out += `${JSON.stringify(withPublicIds(line))}\n`
    if (out.length < CHUNK_BYTES) continue
    yield Buffer.from(out)
    out = ''
  }
  if (out !== '') yield Buffer.from(out)
  for (const { id, object } of contents) {
    const found = objects.isSetUp ? await objects.getForClient(`${projectId}/${id}/${object}`) : undefined
    if (found === undefined) {
      missing(id)
      continue
    }
    yield* contentLines(toId('file', id), found.body as AsyncIterable<Buffer>)
  }
}

/** The bytes of a file as lines; the last one says so. */
async function* contentLines(file_id: string, bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const line = (data: Buffer, last: boolean) =>
    Buffer.from(
      `${JSON.stringify({ record: 'file_content', file_id, last, data: data.toString('base64') })}\n`,
    )
  let chunks: Buffer[] = []
  let size = 0
  for await (const chunk of bytes) {
    chunks.push(chunk)
    size += chunk.length
    if (size <= PART_BYTES) continue
    let all = Buffer.concat(chunks)
    // The last part is never sent before it is known to be the last one.
    while (all.length > PART_BYTES) {
      yield line(all.subarray(0, PART_BYTES), false)
      all = all.subarray(PART_BYTES)
    }
    chunks = [all]
    size = all.length
  }
  yield line(Buffer.concat(chunks), true)
}

/** Ids as the API shows them. */
function withPublicIds(line: Line): Line {
  const shown = { ...line }
  for (const [name, of] of Object.entries(IDS[String(line['record'])] ?? {})) {
    const stored = line[name]
    if (typeof stored === 'string') shown[name] = toId(RESOURCES[of], stored)
    else if (Array.isArray(stored)) shown[name] = stored.map((each) => toId(RESOURCES[of], String(each)))
  }
  return shown
}

/** The lines of a stream of text. */
async function* linesOf(stream: Readable): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk as Buffer, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}
