import type { FastifyReply, FastifyRequest } from 'fastify'
import { discardFile, type ReceivedFile, receiveFile, roomForUpload } from '#areas/storage/service.ts'
import { invalidField } from '#platform/errors.ts'
import { type FilePart, readParts } from '#platform/http/uploads/multipart.ts'
import { parseJsonBody } from '#platform/http/validation/json-body.ts'
import { validatorCompiler } from '#platform/http/validation/validation.ts'
import { validationError } from '#platform/http/validation/validation-error.ts'
import type { Field } from '../builder/field-schema.ts'
import type { CompiledForm } from '../evaluation/compiled-form.ts'
import { maxSizeOf, tooLarge } from '../evaluation/file-fields.ts'
import type { FormsDeps } from '../forms-deps.ts'
import { NewSubmission } from './schema.ts'

/** Parts besides files: data, member_id and token, and some more, so that one that is unknown can be named. */
const FIELDS = 10
const FIELD_BYTES = 1024 * 1024
/** Bytes of the values of one submission, as JSON: strangers write them, and a page has a hundred. */
const MOST_BYTES = 64 * 1024

/** A submission with the files that came with it, by field id. */
export interface Sent extends NewSubmission {
  readonly files: ReadonlyMap<string, ReceivedFile>
}

const check = validatorCompiler({ schema: NewSubmission, method: 'POST', url: '', httpPart: 'body' })

/** @throws ApiError 422 */
export function asSubmission(body: unknown): NewSubmission {
  if (!check(body)) throw validationError(check.errors, 'body')
  const sent = body as NewSubmission
  const bytes = Buffer.byteLength(JSON.stringify(sent.data))
  if (bytes > MOST_BYTES)
    throw invalidField('data', 'maxLength', `must have at most ${MOST_BYTES} bytes as JSON; it has ${bytes}`)
  return sent
}

/**
 * Reads a submission that comes with files, and stores them while they arrive: a part `data` with the values as JSON, and
 * a part for each file, named by its field.
 * @throws ApiError 400, 413 and 422 for what is wrong with it, 422 QUOTA_EXCEEDED, 503; nothing is kept then
 */
export async function receiveSubmission(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: FormsDeps,
  form: CompiledForm,
): Promise<Sent> {
  if (form.fileFields.length > 0) deps.objects.assertSetUp()
  const room = await roomForUpload(request, deps)
  const limits = {
    files: Math.max(1, form.fileFields.length),
    fields: FIELDS,
    fieldBytes: FIELD_BYTES,
    uploads: deps.transfers.uploads,
    ...room,
  }
  const body: Record<string, unknown> = {}
  const files = new Map<string, ReceivedFile>()
  try {
    for await (const part of readParts(request, reply, limits)) {
      if (part.kind === 'file') {
        const field = fileField(form, part, files)
        const file = await receiveFile(deps, request, limited(part, field))
        files.set(field.id, file)
        // What a browser sends for an input that nobody has filled in.
        if (part.name === '' && file.size === 0) await discard(request, files, field.id)
      } else {
        if (Object.hasOwn(body, part.field))
          throw invalidField(part.field, 'maxItems', 'must not be sent twice')
        body[part.field] = part.field === 'data' ? toData(part.value) : part.value
      }
    }
    return { ...asSubmission(body), files }
  } catch (error) {
    await discardAll(request, files)
    throw error
  }
}

/** Undoes files that came with a submission that is not kept. */
export async function discardAll(
  request: FastifyRequest,
  files: ReadonlyMap<string, ReceivedFile>,
): Promise<void> {
  for (const file of files.values()) await request.write((ctx) => discardFile(ctx, file.id))
}

async function discard(request: FastifyRequest, files: Map<string, ReceivedFile>, id: string): Promise<void> {
  const file = files.get(id)
  files.delete(id)
  if (file) await request.write((ctx) => discardFile(ctx, file.id))
}

/** @throws ApiError 422 */
function fileField(form: CompiledForm, { field: id }: FilePart, files: ReadonlyMap<string, unknown>): Field {
  const field = form.field(id)
  if (field?.type !== 'file')
    throw invalidField(`data.${id}`, 'additionalProperties', 'is not a file field of this form')
  if (files.has(id)) throw invalidField(`data.${id}`, 'maxItems', 'must not be sent twice')
  return field
}

/** The same file, which ends with an error at the first byte that its field does not take. */
function limited(part: FilePart, field: Field): FilePart {
  const most = maxSizeOf(field)
  async function* bytes(): AsyncGenerator<Buffer> {
    let size = 0
    for await (const chunk of part.bytes) {
      size += chunk.length
      if (size > most) {
        const { rule, message } = tooLarge(most)
        throw invalidField(`data.${field.id}`, rule, message)
      }
      yield chunk
    }
  }
  return { ...part, bytes: bytes() }
}

/** A part that says it is JSON is a value already, and is looked at like any other. */
const toData = (value: unknown): unknown =>
  parseJsonBody(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)))
