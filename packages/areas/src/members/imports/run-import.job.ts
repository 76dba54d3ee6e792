import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from 'typebox'
import { readCsv } from '#platform/csv/read-csv.ts'
import { emit } from '#platform/events/emit.ts'
import { notifyStreams } from '#platform/events/notify-streams.ts'
import { defineJob, type JobRun } from '#platform/jobs/define-job.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import { projectNow } from '#platform/jobs/schedules/due-work.ts'
import { importCompleted } from '../events.ts'
import { type Candidate, emailKeyOf, type Moments, toCandidate } from './candidate.ts'
import { importChunk } from './chunk.ts'
import {
  advanceImport,
  findImport,
  finishImport,
  type ImportRow,
  insertFaults,
  lockImport,
} from './queries.ts'
import { removeImportFile } from './remove-import-file.job.ts'
import { fileKey, toProgress } from './rows.ts'
import { importProgressed } from './topics.ts'

/** Rows of one transaction. */
const CHUNK = 500

/**
 * Makes members of the rows of a file, a chunk at a time. Each chunk is committed together with the progress of the
 * import, so that a run after a crash continues after it, and no row is processed twice. After each one the database is left to others for as
 * long as it took.
 */
export const runImport = defineJob({
  name: 'members.run-import',
  lane: 'exports',
  payload: Type.Object({ import_id: Type.String({ format: 'uuid' }) }),
  attempts: 10,
  async run(run, { import_id: id }) {
    const { row } = await run.read({ row: findImport({ id }) })
    if (row === undefined || row.finished_at !== null) return
    const isRead = row.processed_rows === row.total_rows || (await importRest(run, row))
    await run.record(async (ctx) => {
      const finished = await finishImport(ctx, { id, state: isRead ? 'completed' : 'failed' })
      if (finished === undefined) return
      if (isRead) emit(ctx, importCompleted, toProgress(finished))
      else notifyStreams(ctx, importProgressed, id)
      enqueue(ctx, removeImportFile, { import_id: id })
    })
  },
})

/** @returns false where the file is gone, so that no attempt can ever succeed */
async function importRest(run: JobRun, row: ImportRow): Promise<boolean> {
  const { byClock } = await run.read({ byClock: projectNow() })
  const now = { byClock: Date.parse(byClock), real: Date.now() }
  const file = await run.deps.objects.get(fileKey(run.projectId, row.id))
  if (file === undefined) {
    run.log.error(
      { import_id: row.id },
      'the file of an import is gone from the storage: the import has failed',
    )
    return false
  }
  try {
    let done = row.processed_rows
    for await (const chunk of chunksOf(row, file.body, now)) {
      run.signal.throwIfAborted()
      const begun = performance.now()
      await importNext(run, row, done, chunk)
      done += chunk.length
      await sleep(performance.now() - begun)
    }
    return true
  } finally {
    file.body.destroy()
  }
}

/** The rows of a file that are not processed yet. */
async function* chunksOf(
  { columns, processed_rows }: ImportRow,
  bytes: AsyncIterable<Buffer>,
  now: Moments,
): AsyncGenerator<Candidate[]> {
  const firstRows = new Map<string, number>()
  let place = -1
  let chunk: Candidate[] = []
  for await (const row of readCsv(bytes)) {
    // The header.
    if (place++ < 0) continue
    const key = emailKeyOf(columns, row.cells)
    const earlier = firstRows.get(key)
    if (key !== '' && earlier === undefined) firstRows.set(key, row.row)
    if (place <= processed_rows) continue
    const candidate = toCandidate(columns, row, now)
    chunk.push(earlier === undefined ? candidate : twice(candidate, earlier))
    if (chunk.length < CHUNK) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}

/**
 * Of two rows with the same address the first one counts; the second one is a fault, because the file must be
 * unambiguous.
 */
const twice = (candidate: Candidate, earlier: number): Candidate => ({
  ...candidate,
  member: undefined,
  faults: [
    ...candidate.faults,
    { field: 'email', rule: 'unique', message: `is also the address of row ${earlier}` },
  ],
})

/** @throws Error where another worker has continued the import: the next attempt starts from there */
async function importNext(
  run: JobRun,
  { id, dry_run: dryRun }: ImportRow,
  done: number,
  chunk: readonly Candidate[],
): Promise<void> {
  await run.write(async (ctx) => {
    const locked = await lockImport(ctx, { id })
    if (locked?.processed_rows !== done) throw new Error('another worker has taken the import further')
    const { created, faulty } = await importChunk(ctx, chunk, { dryRun })
    insertFaults(ctx, { id, rows: faulty })
    advanceImport(ctx, { id, processed: chunk.length, created, faulty: faulty.length })
    notifyStreams(ctx, importProgressed, id)
  })
}
