import { receiveExpected, sealExpected } from '#areas/storage/service.ts'
import { ApiError, type FieldFault } from '#platform/errors.ts'
import type { JobRun } from '#platform/jobs/define-job.ts'
import type { Outcome } from './chunk.ts'
import { findIds, type ImportRow } from './queries.ts'
import type { Line, LineReader } from './read-lines.ts'
import { oldIdOf } from './resolve.ts'

interface Source {
  readonly reader: LineReader
  /** The lines of files, by their ids in the file. */
  readonly files: ReadonlyMap<string, Line>
  /** Whether the lines were handled by a run before, and are only passed over. */
  readonly isDone: boolean
}

/**
 * Stores the bytes of one file, whose parts are the next lines. They pass through: no file is ever in memory.
 * @returns how many lines they were, and what became of them
 */
export async function importContent(
  run: JobRun,
  row: ImportRow,
  { reader, files, isDone }: Source,
): Promise<{ lines: number; outcome: Outcome }> {
  const first = (await reader.peek()) as Line
  const parts = new Parts(reader, String(first.value['file_id']))
  const faultOf = async (): Promise<FieldFault | undefined> => {
    const file = files.get(parts.file)
    const old = oldIdOf({ of: 'file', text: parts.file })
    const [known] =
      old === undefined
        ? []
        : (await run.read({ found: findIds({ id: row.id, json: JSON.stringify([old]) }) })).found
    if (file === undefined || known === undefined)
      return { field: 'file_id', rule: 'exists', message: 'is on no line before this one without faults' }
    const { name, content_type: type, checksum_sha256 } = file.value as Record<string, string>
    if (row.dry_run) return undefined
    try {
      const received = await receiveExpected(run.deps, run.projectId, {
        ...{ id: known.new_id, name: String(name), type: String(type), bytes: parts.bytes() },
      })
      if (!parts.isWhole) return { field: 'last', rule: 'required', message: 'is on no part of this file' }
      if (received.checksum !== checksum_sha256)
        return { field: 'data', rule: 'checksum', message: 'has another checksum than the line of the file' }
      await run.write((ctx) => sealExpected(ctx, received))
      return undefined
    } catch (error) {
      // The storage of the project is used up.
      if (!(error instanceof ApiError && error.status === 422)) throw error
      return { field: 'file_id', rule: 'quota', message: error.message }
    }
  }
  const fault = isDone ? undefined : await faultOf()
  await parts.drain()
  const faulty = fault === undefined ? [] : [{ line: first.number, record: first.record, faults: [fault] }]
  return { lines: parts.lines, outcome: { created: 0, faulty } }
}

/** The lines with the bytes of one file. */
class Parts {
  readonly file: string
  /** Lines that were taken. */
  lines = 0
  /** Whether the last part has come. */
  isWhole = false
  readonly #reader: LineReader

  constructor(reader: LineReader, file: string) {
    this.#reader = reader
    this.file = file
  }

  async *bytes(): AsyncGenerator<Buffer> {
    for (;;) {
      const line = await this.#reader.peek()
      if (
        this.isWhole ||
        line?.record !== 'file_content' ||
        line.faults.length > 0 ||
        line.value['file_id'] !== this.file
      )
        return
      await this.#reader.next()
      this.lines++
      this.isWhole = line.value['last'] === true
      yield Buffer.from(String(line.value['data']), 'base64')
    }
  }

  /** Takes those that nobody has read. */
  async drain(): Promise<void> {
    for await (const _ of this.bytes());
  }
}
