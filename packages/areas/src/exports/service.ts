import { randomUUID } from 'node:crypto'
import { create } from 'content-disposition'
import { deriveQuery, mapAnswer } from '#platform/db/query.ts'
import type { Context } from '#platform/db/tenant.ts'
import { ApiError, tooManyWithin } from '#platform/errors.ts'
import { emit } from '#platform/events/emit.ts'
import { notifyStreams } from '#platform/events/notify-streams.ts'
import { newUuid } from '#platform/ids.ts'
import { type JobRun, LeaseLost, NonRetryableError } from '#platform/jobs/define-job.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import type { Permission } from '#platform/keys/permissions.ts'
import type { Objects } from '#platform/storage/objects.ts'
import { MOST_PARTS } from '#platform/storage/objects.ts'
import { exportCompleted, exportFailed } from './events.ts'
import { type CopySource, partsOf } from './parts.ts'
import * as queries from './queries.ts'
import {
  type Checkpoint,
  type Completion,
  claimExport,
  type ExportRow,
  insertExport,
  markCompleted,
  markFailed,
  noteProgress,
  objectKey,
} from './queries.ts'
import { removeExportObjects } from './remove-objects.job.ts'
import type { Export } from './schema.ts'
import { exportProgressed } from './topics.ts'

export type { ExportRow }

/** An export that is not complete by then fails. */
const LONGEST_MS = 24 * 3_600_000
/** How long the bytes are kept. They are a copy of personal data, and can be made again. */
export const KEPT_MS = 24 * 3_600_000
/** How long one URL works. */
const URL_MS = 3_600_000

/** Whether an export can be read now. */
export const isReadableExport = deriveQuery((v: { id: string }) =>
  mapAnswer(
    queries.findExport(v),
    (row) => row?.status === 'completed' && Date.parse(row.expires_at) > Date.now(),
  ),
)

/** What somebody asks to be made. */
export interface ExportRequest {
  /** Says which job makes it, like `form_submissions`. */
  readonly kind: string
  /** Like `csv`. */
  readonly format: string
  /** What of the data it is about; read by that job alone. */
  readonly params: object
  /** What a key must be allowed to be shown it. */
  readonly permission: Permission
  readonly fileName: string
  readonly contentType: string
  /** How many rows are expected; null where nobody knows. */
  readonly totalRows: number | null
}

/** Asks for an export. The caller enqueues the job that makes it, in the same transaction. */
export const requestExport = (ctx: Context, request: ExportRequest) =>
  insertExport(ctx, {
    id: newUuid(),
    kind: request.kind,
    format: request.format,
    params: JSON.stringify(request.params),
    permission: request.permission,
    file_name: request.fileName,
    content_type: request.contentType,
    total_rows: request.totalRows,
    expires_at: new Date(Date.now() + LONGEST_MS),
  })

/** Exports that a project may request within a minute: each is a job, a transaction of its own and several requests to the storage. */
export const MOST_A_MINUTE = 60
const MINUTE_MS = 60_000

/** A few more are possible where many are requested at the same moment. @throws ApiError 429 where the project requests too many exports */
export async function assertFewExports(ctx: Context): Promise<void> {
  const end = new Date(Date.now() + LONGEST_MS - MINUTE_MS).toISOString()
  if ((await queries.countLatest(ctx, { end })).count < MOST_A_MINUTE) return
  throw tooManyWithin(
    `A project can request ${MOST_A_MINUTE} exports within a minute: try again in half a minute`,
    { requests: MOST_A_MINUTE, per_seconds: MINUTE_MS / 1_000, scope: 'project' },
    30,
  )
}

/** An export, or undefined. */
export const findExport = queries.findExport
/** The exports of a member's data that were requested in the same way within a day, the newest first. */
export const listLatest = queries.listLatest
export const toExportData = queries.toExportData

/** An export as clients see it, with a URL that reads its bytes for a while. */
export async function toExport(row: ExportRow, objects: Objects): Promise<Export> {
  const data = queries.toExportData(row)
  const left = Math.min(URL_MS, Date.parse(row.expires_at) - Date.now())
  const expires = new Date(Date.now() + left)
  const url = await linkTo(row, objects, left)
  return url === undefined
    ? { ...data, url: null, url_expires_at: null }
    : { ...data, url, url_expires_at: expires.toISOString() }
}

/**
 * A link to the bytes of an export; undefined where there are none.
 * @param ms how long it works: as long as the bytes are kept
 */
export async function linkTo(
  row: ExportRow,
  objects: Objects,
  ms = Date.parse(row.expires_at) - Date.now(),
): Promise<string | undefined> {
  if (row.status !== 'completed' || row.object_id === null || ms < 1_000) return undefined
  return objects.signedGet(objectKey(row.project_id, row.id, row.object_id), {
    type: row.content_type,
    disposition: create(row.file_name, { type: 'attachment' }),
    seconds: Math.floor(ms / 1_000),
  })
}

/**
 * Makes an export readable, and announces it.
 * @throws LeaseLost where another run has taken over, or it was given up
 */
export async function completeExport(
  ctx: Context,
  completion: Omit<Completion, 'expires_at'>,
): Promise<ExportRow> {
  const row = await markCompleted(ctx, { ...completion, expires_at: new Date(Date.now() + KEPT_MS) })
  if (row === undefined) throw new LeaseLost()
  emit(ctx, exportCompleted, queries.toExportData(row))
  return row
}

/**
 * Fails an export, and removes its stored parts. It does nothing where the export is finished already.
 * @param error for the customer
 */
export async function failExport(ctx: Context, id: string, error: string): Promise<void> {
  const row = await markFailed(ctx, { id, error })
  if (row === undefined) return
  emit(ctx, exportFailed, queries.toExportData(row))
  enqueue(ctx, removeExportObjects, { export_id: id })
}

/**
 * Copies the rows of a source into the object of an export, part by part. Each part ends with a row, and is recorded
 * together with that row after it was stored; another run continues after it. A part that a replaced run still stores
 * does no harm: its number is not used again, and its progress does not count.
 *
 * Undefined where the export is finished already.
 * @throws LeaseLost where another run has taken over; ApiError 503
 */
async function copyToObject(
  run: JobRun,
  exportId: string,
  open: (row: ExportRow) => Promise<CopySource>,
): Promise<ExportRow | undefined> {
  const { deps, projectId, signal } = run
  const name = randomUUID()
  const row = await run.write(claimExport({ id: exportId, run: name }))
  if (row === undefined) return undefined
  const source = await open(row)
  const known = row.checkpoint as Checkpoint | null
  let at: Checkpoint = known ?? (await begin(run, exportId))
  let rows = row.rows
  const noteWhere = () => note(run, { id: exportId, run: name, rows, checkpoint: JSON.stringify(at) })
  if (known === null) await noteWhere()

  const key = objectKey(projectId, exportId, at.objectId)
  // An earlier run completed the object, but crashed before it could record that.
  const isWhole = known !== null && (await deps.objects.sizeOf(key)) !== undefined
  if (!isWhole) {
    const begun = at.parts.length > 0
    for await (const part of partsOf(deps.copies, projectId, source, { begun, after: at.after })) {
      signal.throwIfAborted()
      if (at.nextPart > MOST_PARTS) throw new NonRetryableError('more parts than the storage takes')
      const stored = await deps.objects.parts.put(key, at.uploadId, at.nextPart, part.bytes)
      rows += part.rows
      at = {
        ...at,
        nextPart: at.nextPart + 1,
        parts: [...at.parts, stored],
        bytes: at.bytes + part.bytes.length,
        after: part.last ?? at.after,
      }
      await noteWhere()
    }
    await deps.objects.parts.complete(key, at.uploadId, at.parts)
  }
  return await run.record((ctx) =>
    completeExport(ctx, { id: exportId, run: name, rows, size: at.bytes, object_id: at.objectId }),
  )
}

async function begin({ deps, projectId }: JobRun, exportId: string): Promise<Checkpoint> {
  const objectId = newUuid()
  const uploadId = await deps.objects.parts.begin(objectKey(projectId, exportId, objectId))
  return { objectId, uploadId, nextPart: 1, parts: [], bytes: 0, after: null }
}

async function note(run: JobRun, progress: Parameters<typeof noteProgress>[0]): Promise<void> {
  await run.write(async (ctx) => {
    if ((await noteProgress(ctx, progress)) === undefined) throw new LeaseLost()
    notifyStreams(ctx, exportProgressed, progress.id)
  })
}

/**
 * The run of a job whose whole work is one export. The export fails at the last attempt, or at once if its source does
 * not exist any more.
 * @param attempts of the job
 */
export const makeObject = (
  run: JobRun,
  exportId: string,
  attempts: number,
  open: (row: ExportRow) => Promise<CopySource>,
): Promise<void> => orGiveUp(run, exportId, attempts, () => copyToObject(run, exportId, open))

/** Bytes that cannot be gone on with where a run before has stopped. */
export interface WholeSource {
  readonly bytes: AsyncIterable<Buffer>
  /** Written so far. */
  rows(): number
}

interface WholeExport {
  open(row: ExportRow): Promise<WholeSource>
  /** What follows when it is complete, in that transaction. */
  completed?(ctx: Context, row: ExportRow): void
}

/** The same for an export that cannot be continued: a run that takes over begins again, with a new object. */
export const makeWholeObject = (
  run: JobRun,
  exportId: string,
  attempts: number,
  { open, completed }: WholeExport,
): Promise<void> =>
  orGiveUp(run, exportId, attempts, async () => {
    const name = randomUUID()
    const row = await run.write(claimExport({ id: exportId, run: name }))
    if (row === undefined) return
    const source = await open(row)
    const objectId = newUuid()
    let size = 0
    async function* counted(): AsyncGenerator<Buffer> {
      let noted = Date.now()
      for await (const chunk of source.bytes) {
        run.signal.throwIfAborted()
        size += chunk.length
        yield chunk
        if (Date.now() - noted < NOTE_MS) continue
        noted = Date.now()
        await note(run, { id: exportId, run: name, rows: source.rows(), checkpoint: null })
      }
    }
    await run.deps.objects.put(objectKey(run.projectId, exportId, objectId), counted())
    const done = { id: exportId, run: name, rows: source.rows(), size, object_id: objectId }
    await run.record(async (ctx) => {
      const complete = await completeExport(ctx, done)
      completed?.(ctx, complete)
    })
  })

/** How often the progress of what is made as a whole is noted. */
const NOTE_MS = 2_000

async function orGiveUp(
  run: JobRun,
  exportId: string,
  attempts: number,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (run.signal.aborted || error instanceof LeaseLost) throw error
    const isGone = error instanceof ApiError && error.status === 404
    if (!isGone && run.attempt < attempts) throw error
    run.log.error({ err: error }, 'an export is given up')
    const failure = isGone
      ? 'The data to export was deleted'
      : 'The export could not be finished: create a new one'
    await run.record((ctx) => failExport(ctx, exportId, failure))
  }
}
