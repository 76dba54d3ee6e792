import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '#platform/errors.ts'
import type { TransferSlots } from '#platform/http/limits/transfer-slots.ts'
import { streamInSlot } from '#platform/http/send-stream.ts'
import type { Objects } from '#platform/storage/objects.ts'
import type { ByteRange } from '#platform/storage/stored-object.ts'
import { dispositionOf, isShown, objectKey, typeHeader } from '../names.ts'
import type { FileRow } from '../queries.ts'

/** Where files are read from, and how many at a time. */
export interface FileSource {
  readonly objects: Objects
  readonly downloads: TransferSlots
}

/**
 * Answers the bytes of a file, or the part of them that is asked for, as they come from the storage. What a browser
 * could execute comes as an attachment, and in a sandbox.
 * @param cacheControl who may keep them, and for how long
 * @throws ApiError 404 for a file that is not ready; 429 for too many downloads at once; 503
 */
export async function serveFile(
  request: FastifyRequest,
  reply: FastifyReply,
  source: FileSource,
  { file, cacheControl }: { file: FileRow; cacheControl: string },
): Promise<FastifyReply> {
  if (file.object_id === null) throw notFound('File')
  const etag = `"${file.checksum_sha256}"`
  const known = { etag, 'cache-control': cacheControl }
  if (namesTag(request.headers['if-none-match'], etag)) return reply.code(304).headers(known).send()

  const range = rangeOf(request, etag, file.size)
  const key = objectKey(file.project_id, file.id, file.object_id)
  const describe = () =>
    reply.code(range ? 206 : 200).headers({
      ...known,
      'accept-ranges': 'bytes',
      'content-type': typeHeader(file.content_type),
      'content-disposition': dispositionOf(file),
      'content-length': range ? range.end - range.start + 1 : file.size,
      ...(range && { 'content-range': `bytes ${range.start}-${range.end}/${file.size}` }),
      ...(!isShown(file.content_type) && { 'content-security-policy': "default-src 'none'; sandbox" }),
    })
  // An empty stream, so that the length of what is not sent stays as it is.
  if (request.method === 'HEAD') return describe().send(Readable.from([]))
  return streamInSlot(reply, source.downloads.take(request, file.project_id), async () => {
    const body = await open(request, source.objects, key, range)
    describe()
    return body
  })
}

async function open(
  request: FastifyRequest,
  objects: Objects,
  key: string,
  range: ByteRange | undefined,
): Promise<Readable> {
  const object = await objects.getForClient(key, range)
  if (object !== undefined) return object.body
  request.log.error({ key }, 'the object of a file is missing')
  throw notFound('File')
}

const namesTag = (header: string | undefined, etag: string): boolean =>
  (header ?? '').split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')))

/** The one range of bytes that is asked for; undefined for all of them, and for whatever is no such range. */
function rangeOf({ headers }: FastifyRequest, etag: string, size: number): ByteRange | undefined {
  const ifRange = headers['if-range']
  if (ifRange !== undefined && ifRange !== etag) return undefined
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '') ?? []
  if (first === '' && last === '') return undefined
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  return start <= end ? { start, end } : undefined
}
