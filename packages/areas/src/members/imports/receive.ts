import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#platform/config.ts'
import { CsvFault, readCsv } from '#platform/csv/read-csv.ts'
import { type FieldFault, invalidBody, invalidField, tooManyAtOnce } from '#platform/errors.ts'
import { callerOf } from '#platform/http/caller.ts'
import type { Transfers } from '#platform/http/limits/transfer-slots.ts'
import { assertMultipart, type FilePart, readParts } from '#platform/http/uploads/multipart.ts'
import { validatorCompiler } from '#platform/http/validation/validation.ts'
import { validationError } from '#platform/http/validation/validation-error.ts'
import { newUuid } from '#platform/ids.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import type { Objects } from '#platform/storage/objects.ts'
import type { EventLoopTurns, Slices } from '#platform/threads/event-loop-turns.ts'
import { columnsOf } from './header.ts'
import { beginImport, deleteImport, type ImportRow, MOST_UNFINISHED, markArrived } from './queries.ts'
import { removeImportFile } from './remove-import-file.job.ts'
import { fileKey } from './rows.ts'
import { runImport } from './run-import.job.ts'
import { ImportFields, MOST_ROWS } from './schema.ts'

/** More parts than are known, so that an unknown part can be named. */
const LIMITS = { files: 1, fields: 5, fieldBytes: 100 }

const checkFields = validatorCompiler({ schema: ImportFields, method: 'POST', url: '', httpPart: 'body' })

interface Parts {
  readonly objects: Objects
  readonly config: Config
  readonly transfers: Transfers
  readonly turns: EventLoopTurns
}

/**
 * Stores the file of an import while it arrives, and parses it at the same time: a file that is no CSV of members is
 * refused before it is kept. The job of the import finds faults of single rows.
 * @throws ApiError 400, 413 and 422 for faults in the form or the file; 429 for too many imports; 503
 */
export async function receiveImport(
  request: FastifyRequest,
  reply: FastifyReply,
  { objects, config, turns, transfers: { uploads } }: Parts,
): Promise<ImportRow> {
  assertMultipart(request)
  objects.assertSetUp()
  const id = newUuid()
  if ((await request.write(beginImport({ id }))) === undefined) throw tooManyImports()
  const { projectId } = callerOf(request)
  const key = fileKey(projectId, id)
  const fields: Record<string, unknown> = {}
  let file: Shape | undefined
  try {
    for await (const part of readParts(request, reply, { ...LIMITS, uploads, fileBytes: limitOf(config) })) {
      if (part.kind === 'field') {
        if (part.field in fields) throw invalidField(part.field, 'maxItems', 'must not be sent twice')
        fields[part.field] = part.value
      } else {
        assertFields(fields)
        file = await store(objects, key, part, turns.begin({ projectId }))
      }
    }
    if (file === undefined) throw withoutFile(faultsOf(fields))
    assertFields(fields)
    const received = { id, ...file, dry_run: fields['dry_run'] === 'true' }
    return await request.write(async (ctx) => {
      enqueue(ctx, runImport, { import_id: id })
      return markArrived(ctx, received)
    })
  } catch (error) {
    await request.write(async (ctx) => {
      deleteImport(ctx, { id })
      enqueue(ctx, removeImportFile, { import_id: id })
    })
    throw error
  }
}

/** Bytes of the largest file that is taken. */
const limitOf = ({ UPLOAD_LIMIT_MIB }: Config): number => UPLOAD_LIMIT_MIB * 1024 * 1024

/** The facts about a file that was read once. */
interface Shape {
  readonly columns: string[]
  readonly total_rows: number
}

/** @throws ApiError 422 */
async function store(objects: Objects, key: string, part: FilePart, slices: Slices): Promise<Shape> {
  if (part.field !== 'file') throw withoutFile([unknownPart(part.field)])
  let shape: Shape | undefined
  const bytes = tee(part.bytes, async (copy) => {
    shape = await shapeOf(copy, slices)
  })
  await objects.put(key, bytes)
  // The parser reads its copy to the end.
  if (shape === undefined) throw new TypeError('the file was not read')
  return shape
}

/**
 * Passes bytes on while `read` reads them too. Neither side is ahead of the other by more than a buffer. If `read`
 * throws, the stream ends with that error.
 * @param read reads its copy to the end, or throws
 */
async function* tee(
  bytes: AsyncIterable<Buffer>,
  read: (copy: AsyncIterable<Buffer>) => Promise<void>,
): AsyncGenerator<Buffer> {
  const copy = new PassThrough()
  const failed = Promise.withResolvers<never>()
  failed.promise.catch(() => undefined)
  const reading = read(copy)
  reading.catch(failed.reject)
  try {
    for await (const chunk of bytes) {
      if (!copy.write(chunk)) await Promise.race([once(copy, 'drain'), failed.promise])
      yield chunk
    }
    copy.end()
    await reading
  } finally {
    copy.destroy()
  }
}

/** @throws ApiError 422 for what is no CSV of members */
async function shapeOf(bytes: AsyncIterable<Buffer>, slices: Slices): Promise<Shape> {
  let columns: string[] | undefined
  let total_rows = 0
  try {
    for await (const { cells } of readCsv(bytes, slices)) {
      if (columns === undefined) columns = columnsOf(cells)
      else if (++total_rows > MOST_ROWS) throw new CsvFault('maxItems', TOO_MANY_ROWS)
    }
    if (columns === undefined) throw new CsvFault('minItems', 'is empty: it has no header')
    if (total_rows === 0) throw new CsvFault('minItems', 'has a header and no rows')
  } catch (error) {
    throw error instanceof CsvFault ? invalidField('file', error.rule, error.message) : error
  }
  return { columns, total_rows }
}

const TOO_MANY_ROWS = `must have at most ${MOST_ROWS} rows besides its header: send the rows in several files`

/** @throws ApiError 422 */
function assertFields(fields: Record<string, unknown>): void {
  const faults = faultsOf(fields)
  if (faults.length > 0) throw invalidBody(faults)
}

function faultsOf(fields: Record<string, unknown>): readonly FieldFault[] {
  if (checkFields({ ...fields })) return []
  return validationError(checkFields.errors, 'body').details ?? []
}

/** 422 that names the part that is missing beside what is wrong with the others. */
const withoutFile = (faults: readonly FieldFault[]) =>
  invalidBody([...faults, { field: 'file', rule: 'required', message: 'is required: send the CSV file' }])

const unknownPart = (field: string): FieldFault => ({
  field,
  rule: 'additionalProperties',
  message: 'is not a known part. Known: file, dry_run',
})

const tooManyImports = () =>
  tooManyAtOnce(
    `This project has ${MOST_UNFINISHED} imports that are not finished: wait until one of them has finished`,
    {
      requests: MOST_UNFINISHED,
      scope: 'project',
    },
  )
