import type { ProjectData } from '#platform/db/tenant.ts'
import { invalidField } from '#platform/errors.ts'
import { assertNotSuspended } from '#platform/http/suspended.ts'
import { newUuid, toId } from '#platform/ids.ts'
import { unreachable } from '#platform/storage/unavailable.ts'
import { uploadIncomplete, uploadMismatch } from '../errors.ts'
import { cleanName, objectKey, uploadKey } from '../names.ts'
import { getFile, insertFile, toFile } from '../queries.ts'
import type { StoredFile, Upload, UploadRequest, Visibility } from '../schema.ts'
import { forgetObjects, type StorageDeps, sealReceived, uploadLimit } from '../service.ts'
import { type Inspected, Inspection } from './inspection.ts'

/** How long a URL takes bytes. */
const URL_SECONDS = 3_600
/** A client that has not called back by then may never. */
const FIRST_LOOK_MS = 5 * 60_000

/**
 * Announces a file whose bytes its client sends past us. Its size is reserved.
 * @throws ApiError 422 for a size that no file may have, an owner that is none or suspended, QUOTA_EXCEEDED; 503 without a storage
 */
export async function announceUpload(
  deps: StorageDeps,
  data: ProjectData,
  request: UploadRequest,
  ownerId: string | null,
): Promise<Upload> {
  const { size, content_type } = request
  const most = uploadLimit(deps.config)
  if (size > most) throw invalidField('size', 'maximum', `must be at most ${most}`)
  deps.objects.assertSetUp()
  const id = newUuid()
  const expires = new Date(Date.now() + URL_SECONDS * 1_000)
  const row = await data.write(async (ctx) => {
    if (ownerId !== null) await assertNotSuspended(ctx, { id: ownerId, field: 'owner_id' })
    return insertFile(ctx, {
      id,
      name: cleanName(request.name),
      size,
      content_type,
      visibility: request.visibility ?? 'private',
      owner_id: ownerId,
      upload_expires_at: expires,
      due_at: new Date(Date.now() + FIRST_LOOK_MS),
    })
  })
  const url = await deps.objects.signedPut(uploadKey(row.project_id, id), {
    size,
    type: content_type,
    seconds: URL_SECONDS,
  })
  return {
    id: toId('file', id),
    method: 'PUT',
    url,
    headers: { 'content-type': content_type },
    expires_at: expires.toISOString(),
    file: toFile(row, deps.config.BASE_URL),
  }
}

/**
 * Makes a file of the bytes that a client has sent directly to the storage: it copies them to where nobody else can
 * write, checks every byte, and emits the event. Several callers may do this at the same time; one of them makes the
 * file, and all get it.
 * @throws ApiError 404; 422 UPLOAD_INCOMPLETE, UPLOAD_MISMATCH
 */
export async function completeUpload(deps: StorageDeps, data: ProjectData, id: string): Promise<StoredFile> {
  const { file } = await data.read({ file: getFile({ id }) })
  if (file.status === 'ready') return toFile(file, deps.config.BASE_URL)
  const { project_id: projectId, size, name } = file
  const from = uploadKey(projectId, id)
  const came = file.upload_expires_at === null ? undefined : await deps.objects.sizeOf(from)
  if (came === undefined) throw uploadIncomplete()
  if (came !== size) throw uploadMismatch()
  const objectId = newUuid()
  const seen = await moveAndInspect(deps, from, objectKey(projectId, id, objectId), file.content_type)
  if (seen.size !== size) throw uploadMismatch()
  const as = { visibility: file.visibility as Visibility, ownerId: file.owner_id }
  return data.write(async (ctx) => {
    const sealed = await sealReceived(ctx, deps, { id, objectId, name, ...seen }, as)
    // Removes an unused copy, and the client's original.
    forgetObjects(ctx, id, file.upload_expires_at)
    return sealed ?? toFile(await getFile(ctx, { id }), deps.config.BASE_URL)
  })
}

/** Copies first and checks the copy, because a client can still change the original after a check. */
async function moveAndInspect(
  { objects }: StorageDeps,
  from: string,
  to: string,
  type: string,
): Promise<Inspected> {
  const object = (await objects.copy(from, to)) ? await objects.get(to) : undefined
  if (object === undefined) throw uploadIncomplete()
  const inspection = new Inspection()
  await inspection.read(object.body).catch((error) => {
    throw unreachable(error)
  })
  return inspection.result(type)
}
