import type { RowFormat } from '#platform/csv/row-writer.ts'
import type { CopyWatch } from '#platform/db/copy/copy-out.ts'
import type { CopyStreams } from '#platform/db/copy/copy-streams.ts'

/** Bytes of a part, which is in memory until it is stored. S3 takes 10,000 parts, so that 80 GB can be exported. */
const PART_BYTES = 8 * 1024 * 1024

/** The rows of an export, in an order in which it can continue. */
export interface CopySource {
  readonly format: RowFormat
  /** Goes before the first row. */
  readonly head: string
  /** One SELECT with its values in it, of the rows behind the one of this name; null: of all. */
  sqlAfter(name: string | null): string
  /** What names a row, from its bytes as COPY sends them. */
  nameOf(row: Buffer): string
}

/** Bytes that end with a row. */
export interface Part {
  readonly bytes: Buffer
  readonly rows: number
  /** The name of the last row; null where there is none. */
  readonly last: string | null
}

/** Where in the stream which row ends. */
interface Mark {
  readonly end: number
  readonly rows: number
  readonly last: string | null
}

/**
 * The rows of a source after a given row, in parts. An empty source without parts gives one empty part.
 * @param begun whether there are parts already
 * @param after the last row in them
 */
export async function* partsOf(
  copies: CopyStreams,
  projectId: string,
  source: CopySource,
  { begun, after }: { readonly begun: boolean; readonly after: string | null },
): AsyncGenerator<Part> {
  const marks: Mark[] = []
  let now: Mark = { end: 0, rows: 0, last: null }
  const watch: CopyWatch = {
    row: (row) => {
      now = { ...now, rows: now.rows + 1, last: source.nameOf(row) }
    },
    chunk: (bytes) => {
      now = { ...now, end: now.end + bytes }
      marks.push(now)
    },
  }
  const copy = await copies.open(projectId, { sql: source.sqlAfter(after), format: source.format, watch })
  let buffered: Buffer[] = begun ? [] : [Buffer.from(source.head)]
  let size = 0
  let read = 0
  let before: Mark = { end: 0, rows: 0, last: null }
  const part = (): Part => {
    const reached = marks.findLast(({ end }) => end <= read) ?? before
    const { rows } = before
    before = reached
    marks.splice(0, marks.indexOf(reached) + 1)
    const bytes = Buffer.concat(buffered)
    buffered = []
    size = 0
    return { bytes, rows: reached.rows - rows, last: reached.last }
  }
  for await (const chunk of copy as AsyncIterable<Buffer>) {
    buffered.push(chunk)
    size += chunk.length
    read += chunk.length
    if (size >= PART_BYTES) yield part()
  }
  if (buffered.length > 0) yield part()
}
