import { type FieldFault, invalidBody, invalidField } from '#platform/errors.ts'
import type { Objects } from '#platform/storage/objects.ts'
import type { ListedPart } from '#platform/storage/part-uploads.ts'
import { uploadIncomplete } from '../errors.ts'
import { objectKey } from '../names.ts'
import type { FileRow } from '../queries.ts'
import type { Completion, Upload } from '../schema.ts'

// Uploads in parts, past us. They go to where the object stays: nobody can write there any more once its parts are put together,
// because the URLs of parts end with that.

const MIB = 1024 * 1024
/** What S3 takes of a part that is not the last, and of any. */
const [LEAST, MOST] = [5 * MIB, 5 * 1024 * MIB]
/** How long the URLs of parts work. */
export const PARTS_SECONDS = 24 * 3_600
/** URLs that are signed in one turn of the event loop. */
const SIGNED_AT_ONCE = 50

/** Bytes of all parts but the last, which has the rest. */
const bytesOfPart = (size: number, parts: number): number =>
  parts === 1 ? size : Math.max(LEAST, Math.ceil(size / parts))

/** @throws ApiError 422 for a number of parts that S3 would not take */
export function assertParts(size: number, parts: number): void {
  const bytes = bytesOfPart(size, parts)
  if (bytes * (parts - 1) >= size)
    throw invalidField(
      'parts',
      'maximum',
      `must be at most ${Math.max(1, Math.ceil(size / LEAST))}: all parts but the last have at least 5 MiB`,
    )
  if (bytes > MOST)
    throw invalidField(
      'parts',
      'minimum',
      `must be at least ${Math.ceil(size / MOST)}: a part has at most 5 GiB`,
    )
}

/** An upload in parts that has begun. */
interface Begun {
  readonly key: string
  readonly uploadId: string
  readonly size: number
  readonly parts: number
}

/** A URL for each part. @throws ApiError 503 */
export async function signParts(
  objects: Objects,
  { key, uploadId, size, parts }: Begun,
): Promise<NonNullable<Upload['parts']>> {
  const signed: NonNullable<Upload['parts']> = []
  for (let part = 1; part <= parts; part++) {
    const bytes = sizeOfPart(size, parts, part)
    const url = await objects.parts.sign(key, uploadId, { number: part, size: bytes, seconds: PARTS_SECONDS })
    signed.push({ part, url, size: bytes })
    // Others have their turn.
    if (part % SIGNED_AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  return signed
}

const sizeOfPart = (size: number, parts: number, part: number): number =>
  part < parts ? bytesOfPart(size, parts) : size - bytesOfPart(size, parts) * (parts - 1)

/** The key of the object of an upload in parts, and what the storage calls the upload. Undefined for any other upload. */
export function partsOf(file: FileRow): (Begun & { readonly objectId: string }) | undefined {
  const { upload_object: objectId, upload_parts: parts, upload_id: uploadId, project_id, id, size } = file
  if (objectId === null || parts === null || uploadId === null) return undefined
  return { key: objectKey(project_id, id, objectId), objectId, uploadId, size, parts }
}

/**
 * Makes one object of the parts. It may be called again, and at the same time: they were put together once then.
 * @param sent the parts as the client names them; undefined: only looks whether they were put together before
 * @throws ApiError 422 for parts that are missing, have not arrived, or are not those that the client has sent; UPLOAD_INCOMPLETE; 503
 */
export async function joinParts(objects: Objects, begun: Begun, sent: Completion['parts']): Promise<void> {
  const { key, uploadId, size, parts } = begun
  const arrived = await objects.parts.list(key, uploadId)
  if (arrived !== undefined && sent !== undefined) {
    const faults = faultsOf(sent, arrived, { size, parts })
    if (faults.length > 0) throw invalidBody(faults)
    const stored = sent.map(({ part, etag }) => ({ number: part, etag }))
    try {
      await objects.parts.complete(
        key,
        uploadId,
        stored.sort((a, b) => a.number - b.number),
      )
      return
    } catch (error) {
      // Somebody else may have done it at the same moment.
      if ((await objects.sizeOf(key)) === undefined) throw error
      return
    }
  }
  if ((await objects.sizeOf(key)) !== undefined) return
  if (arrived !== undefined && sent === undefined)
    throw uploadIncomplete(undefined, {
      message: 'The parts are not put together yet: complete the upload with the ETags of all parts',
    })
  throw uploadIncomplete(undefined, { message: 'This upload was given up: start a new one' })
}

function faultsOf(
  sent: NonNullable<Completion['parts']>,
  arrived: readonly ListedPart[],
  { size, parts }: Pick<Begun, 'size' | 'parts'>,
): FieldFault[] {
  const stored = new Map(arrived.map((part) => [part.number, part]))
  const named = new Set<number>()
  const faults = sent.flatMap(({ part, etag }, i): FieldFault[] => {
    const field = `parts[${i}].part`
    if (part > parts) return [{ field, rule: 'maximum', message: `must be at most ${parts}` }]
    if (named.has(part)) return [{ field, rule: 'unique', message: 'is named before' }]
    named.add(part)
    const found = stored.get(part)
    if (found === undefined)
      return [{ field, rule: 'exists', message: 'has not arrived: PUT it to its URL first' }]
    if (bare(found.etag) !== bare(etag))
      return [
        { field: `parts[${i}].etag`, rule: 'etag', message: 'is not the ETag of the part that has arrived' },
      ]
    if (found.size !== sizeOfPart(size, parts, part))
      return [{ field, rule: 'size', message: `must have ${sizeOfPart(size, parts, part)} bytes` }]
    return []
  })
  const missing = Array.from({ length: parts }, (_, i) => i + 1).filter((part) => !named.has(part))
  if (missing.length > 0)
    faults.push({
      field: 'parts',
      rule: 'required',
      message: `must name part ${missing.slice(0, 10).join(', ')}`,
    })
  return faults
}

const bare = (etag: string) => etag.replaceAll('"', '')
