import multipart, { type MultipartFile } from '@fastify/multipart'
import type { FastifyReply, FastifyRequest, FastifySchemaCompiler } from 'fastify'
import { ApiError, invalidBody, invalidField } from '../../errors.ts'
import type { Api } from '../api.ts'
import { callerOf } from '../caller.ts'
import type { Slot, TransferSlots } from '../limits/transfer-slots.ts'
import { unsupportedType } from '../server/error-handler.ts'
import { validatorCompiler } from '../validation/validation.ts'
import { BodyReadGuard, letRestPass } from './body-read-guard.ts'

/** The limits of a multipart body. Bytes are counted as they arrive; headers are not trusted. */
export interface MultipartLimits {
  readonly files: number
  readonly fields: number
  /** Bytes of one field's value. */
  readonly fieldBytes: number
  /** Bytes of one file. */
  readonly fileBytes: number
  /** Limits the number of uploads at the same time, by project and by address. */
  readonly uploads: TransferSlots
  /** The error for a larger file; 413 where omitted. */
  readonly tooLarge?: () => ApiError
}

export interface FieldPart {
  readonly kind: 'field'
  readonly field: string
  /** A text; of a part that says it is JSON, the value. */
  readonly value: unknown
}

export interface FilePart {
  readonly kind: 'file'
  readonly field: string
  /** The last part of the path that the client sent, with any characters; may be empty. */
  readonly name: string
  /** The content type that the client sent. */
  readonly type: string
  /** The content. Read it before asking for the next part; it arrives only as fast as it is read. */
  readonly bytes: AsyncIterable<Buffer>
}

export type Part = FieldPart | FilePart

/** Names, headers and boundaries around the parts' contents. */
const OVERHEAD_BYTES = 1024 * 1024

/** Registers routes that take multipart/form-data, for `readParts` to read. */
export function withMultipart(api: Api, routes: (scope: Api) => void): void {
  api
    .register(async (scope) => {
      // A body that is too large is refused as soon as that is known.
      await scope.register(multipart, { throwFileSizeLimit: false })
      routes(scope as unknown as Api)
    })
    .after((error) => {
      if (error) throw error
    })
}

/** For a route whose handler reads its body by itself: the schema of the body is for the document alone. */
export const uncheckedBody: FastifySchemaCompiler<object> = (route) =>
  route.httpPart === 'body' ? () => true : validatorCompiler(route)

/**
 * The parts of a multipart body, in their order, while it arrives. Nothing is buffered; the client can send only as
 * fast as the parts are read. An upload may take an hour while bytes keep arriving.
 *
 * If the caller leaves the loop early, the rest of the body is not read.
 * @throws ApiError 400 for a body that is no multipart, malformed, cut off or too slow; 413 where it is too large; 422
 *   for too many parts; 429 and 503 for too many uploads at once
 */
export async function* readParts(
  request: FastifyRequest,
  reply: FastifyReply,
  limits: MultipartLimits,
): AsyncGenerator<Part> {
  assertMultipart(request)
  const { files, fields, fieldBytes, fileBytes, tooLarge = () => fileTooLarge(fileBytes) } = limits
  const slot = await takeSlot(request, reply, limits.uploads)
  const guard = new BodyReadGuard(request.raw, {
    bytes: files * fileBytes + fields * fieldBytes + OVERHEAD_BYTES,
    tooLarge,
    windowMs: slot.windowMs,
  })
  try {
    const parts = request.parts({
      limits: { files, fields, parts: files + fields, fieldSize: fieldBytes, fileSize: fileBytes },
    })
    for (;;) {
      const next = await Promise.race([parts.next(), guard.broken])
      if (next.done) return
      const part = next.value
      if (part.type === 'file') {
        const { fieldname: field = '', filename: name = '', mimetype: type, file } = part
        file.once('limit', () => file.destroy(tooLarge()))
        yield { kind: 'file', field, name, type, bytes: bytesOf(file, guard, tooLarge) }
        // The caller does not need the rest of this part, but it must be read to reach the next one.
        file.resume()
      } else {
        const { fieldname: field = '', value, valueTruncated } = part
        if (valueTruncated) throw invalidField(field, 'maxLength', `must have at most ${fieldBytes} bytes`)
        if (typeof value === 'string' && value.includes('\0'))
          throw invalidField(field, 'characters', 'must not contain NUL characters')
        yield { kind: 'field', field, value }
      }
    }
  } catch (error) {
    throw translate(error, limits)
  } finally {
    guard.end()
    slot.release()
    if (!(await letRestPass(request.raw))) reply.header('connection', 'close')
  }
}

/** Whoever is refused reads the answer, too. @throws ApiError 429 and 503 for too many uploads at once */
async function takeSlot(request: FastifyRequest, reply: FastifyReply, uploads: TransferSlots): Promise<Slot> {
  try {
    return uploads.take(request, callerOf(request).projectId)
  } catch (error) {
    if (!(await letRestPass(request.raw))) reply.header('connection', 'close')
    throw error
  }
}

/** @throws ApiError 400 where the body is something else */
export function assertMultipart(request: FastifyRequest): void {
  if (!request.isMultipart()) throw unsupportedType('multipart/form-data')
}

async function* bytesOf(
  file: MultipartFile['file'],
  guard: BodyReadGuard,
  tooLarge: () => ApiError,
): AsyncGenerator<Buffer> {
  guard.watch(file)
  try {
    for await (const chunk of file) yield chunk
  } catch (error) {
    throw translate(error)
  }
  // The limit was exceeded before a listener was attached.
  if (file.truncated) throw tooLarge()
}

const fileTooLarge = (bytes: number) =>
  new ApiError(413, 'PAYLOAD_TOO_LARGE', `The file is larger than ${Math.floor(bytes / 1024 / 1024)} MiB`)

/** Errors of the parser by their codes; any other error is a violation of the format's syntax. */
function translate(error: unknown, limits?: MultipartLimits): unknown {
  if (error instanceof ApiError) return error
  switch ((error as { code?: string }).code) {
    case 'FST_PARTS_LIMIT':
      return tooMany(`${(limits?.files ?? 0) + (limits?.fields ?? 0)} parts`)
    case 'FST_FILES_LIMIT':
      return tooMany(`${limits?.files} file`)
    case 'FST_FIELDS_LIMIT':
      return tooMany(`${limits?.fields} fields`)
    case 'FST_PROTO_VIOLATION':
      return invalidBody([
        { field: '', rule: 'name', message: 'has a field with a name that is not allowed' },
      ])
    case 'FST_INVALID_JSON_FIELD_ERROR':
      return invalidBody([
        { field: '', rule: 'json', message: 'must have valid JSON in parts with a JSON content type' },
      ])
    case 'FST_MP_PREMATURE_CLOSE':
      return malformed('it ended before its last boundary', error)
    default:
      return malformed((error as Error).message, error)
  }
}

const tooMany = (what: string) =>
  invalidBody([{ field: '', rule: 'maxItems', message: `must have at most ${what}` }])

const malformed = (why: string, cause: unknown) =>
  new ApiError(400, 'INVALID_PARAMETERS', `The body is not valid multipart/form-data: ${why}`, { cause })
