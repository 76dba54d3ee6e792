import { type Static, Type } from 'typebox'
import { openFile } from '#areas/storage/service.ts'
import { ApiError } from '#platform/errors.ts'
import { emit } from '#platform/events/emit.ts'
import { notifyStreams } from '#platform/events/notify-streams.ts'
import { defineJob, type JobRun } from '#platform/jobs/define-job.ts'
import { projectNow } from '#platform/jobs/schedules/due-work.ts'
import { Markdown } from '#platform/markdown/markdown.ts'
import { communityImported } from '../events.ts'
import { importChunk, type Outcome } from './chunk.ts'
import { importContent } from './content.ts'
import { Merges } from './merge-circles.ts'
import { communityImportProgressed } from './notices.ts'
import { prepare } from './prepare.ts'
import {
  advanceImport,
  findImport,
  finishImport,
  type ImportRow,
  insertFaults,
  lockImport,
} from './queries.ts'
import { type Line, LineReader } from './read-lines.ts'
import { toProgress } from './shown.ts'

/** Lines of one transaction. */
const CHUNK = 200
const ATTEMPTS = 10
const Payload = Type.Object({ import_id: Type.String({ format: 'uuid' }) })

/**
 * Makes a community of the lines of a file, a chunk at a time. Each chunk is committed together with how far the import has
 * come, so that a run after a crash goes on after it, and no line is handled twice. Members are not notified, and only the import
 * itself is announced.
 */
export const runImport = defineJob({
  name: 'community.run-import',
  lane: 'exports',
  payload: Payload,
  attempts: ATTEMPTS,
  async run(run, { import_id: id }: Static<typeof Payload>) {
    const { row } = await run.read({ row: findImport({ id }) })
    if (row === undefined || row.finished_at !== null) return
    const error = await importFile(run, row).catch((cause: unknown) => whyGivenUp(run, cause))
    await run.record(async (ctx) => {
      const finished = await finishImport(ctx, { id, error })
      if (finished !== undefined) emit(ctx, communityImported, toProgress(finished))
    })
  },
})

/** Why an import ends without success. @throws what another attempt may get over */
function whyGivenUp(run: JobRun, cause: unknown): string {
  if (run.signal.aborted) throw cause
  // What the project cannot have, such as more categories.
  if (cause instanceof ApiError && cause.status === 422) return cause.message
  if (run.attempt < ATTEMPTS) throw cause
  run.log.error({ err: cause }, 'an import is given up')
  return 'The import could not be finished: start a new one'
}

/** @returns why it failed; null where all lines are handled */
async function importFile(run: JobRun, row: ImportRow): Promise<string | null> {
  const { now } = await run.read({ now: projectNow() })
  const body = await openFile(run.deps, run, row.file_id)
  if (body === undefined) return 'The uploaded file was deleted'
  const markdown = new Markdown()
  try {
    await importLines(run, row, new LineReader(body, Date.parse(now)), markdown)
    return null
  } finally {
    body.destroy()
    await markdown.close()
  }
}

async function importLines(
  run: JobRun,
  row: ImportRow,
  reader: LineReader,
  markdown: Markdown,
): Promise<void> {
  const merges = new Merges()
  /** Files whose bytes are to come, by the ids of the file. */
  const files = new Map<string, Line>()
  for (;;) {
    run.signal.throwIfAborted()
    const first = await reader.peek()
    if (first === undefined) return
    const isDone = first.number <= row.lines
    if (first.record === 'file_content' && first.faults.length === 0) {
      const { lines, outcome } = await importContent(run, row, { reader, files, isDone })
      if (!isDone) await note(run, row, first.number - 1, { lines, work: async () => outcome })
      continue
    }
    const lines = await takeChunk(reader, row.lines, merges)
    for (const line of lines) if (line.record === 'file') files.set(String(line.value['id']), line)
    if (isDone) continue
    const prepared = await prepare(run, markdown, row.id, lines)
    await note(run, row, first.number - 1, {
      lines: lines.length,
      work: (ctx) => importChunk(ctx, { importId: row.id, isDry: row.dry_run, lines: prepared }),
    })
  }
}

/** The next lines of one type; those that were handled before are not mixed with others. */
async function takeChunk(reader: LineReader, done: number, merges: Merges): Promise<Line[]> {
  const chunk: Line[] = []
  for (;;) {
    const line = await reader.peek()
    const first = chunk[0]
    if (line === undefined || chunk.length === CHUNK) return chunk
    // The bytes of a file are no chunk.
    if (first !== undefined && line.record === 'file_content' && line.faults.length === 0) return chunk
    if (first !== undefined && (line.record !== first.record || line.number <= done !== first.number <= done))
      return chunk
    await reader.next()
    chunk.push(merges.check(line))
  }
}

/** Handles lines, and notes that they are. @throws Error where another worker has gone on: the next attempt starts from there */
export async function note(
  run: JobRun,
  { id }: ImportRow,
  done: number,
  { lines, work }: { lines: number; work: (ctx: Parameters<typeof importChunk>[0]) => Promise<Outcome> },
): Promise<void> {
  await run.write(async (ctx) => {
    const locked = await lockImport(ctx, { id })
    if (locked?.lines !== done) throw new Error('another worker has taken the import further')
    const { created, faulty } = await work(ctx)
    insertFaults(ctx, { id, rows: faulty })
    advanceImport(ctx, { id, lines, created, faulty: faulty.length })
    notifyStreams(ctx, communityImportProgressed, id)
  })
}
