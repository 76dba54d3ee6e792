import type { ProjectData } from '#platform/db/tenant.ts'
import { invalidField } from '#platform/errors.ts'
import { assertNotSuspended } from '#platform/http/suspended.ts'
import { newUuid, toId } from '#platform/ids.ts'
import { unreachable } from '#platform/storage/unavailable.ts'
import { uploadIncomplete, uploadMismatch } from '../errors.ts'
import { cleanName, objectKey, uploadKey } from '../names.ts'
import { type FileRow, getFile, insertFile, setDueNow, setUploadId, toFile } from '../queries.ts'
import { forgetObjects } from '../references.ts'
import type { Completion, StoredFile, Upload, UploadRequest, Visibility } from '../schema.ts'
import { type ReceivedFile, type StorageDeps, sealReceived, uploadLimit } from '../service.ts'
import { type Inspected, Inspection } from './inspection.ts'
import { assertParts, joinParts, PARTS_SECONDS, partsOf, signParts } from './parts.ts'

/** How long a URL takes bytes. */
const URL_SECONDS = 3_600
/** A client that has not called back by then may never. */
const FIRST_LOOK_MS = 5 * 60_000
/** Bytes of the largest object that S3 keeps. */
const MOST_IN_PARTS = 5 * 1024 ** 4

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
  const { size, content_type, parts } = request
  const most = parts === undefined ? uploadLimit(deps.config) : MOST_IN_PARTS
  if (size > most) throw invalidField('size', 'maximum', `must be at most ${most}`)
  if (parts !== undefined) assertParts(size, parts)
  deps.objects.assertSetUp()
  const id = newUuid()
  const seconds = parts === undefined ? URL_SECONDS : PARTS_SECONDS
  const expires = new Date(Date.now() + seconds * 1_000)
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
      ...(parts !== undefined && { upload_object: newUuid(), upload_parts: parts }),
    })
  })
  return {
    id: toId('file', id),
    method: 'PUT',
    ...(parts === undefined ? await signWhole(deps, row) : await beginParts(deps, data, row)),
    expires_at: expires.toISOString(),
    file: toFile(row, deps.config.BASE_URL),
  }
}

type Targets = Pick<Upload, 'url' | 'headers' | 'parts'>

async function signWhole({ objects }: StorageDeps, row: FileRow): Promise<Targets> {
  const { project_id, id, size, content_type: type } = row
  const url = await objects.signedPut(uploadKey(project_id, id), { size, type, seconds: URL_SECONDS })
  return { url, headers: { 'content-type': type } }
}

/** The row is there before the upload begins: if the process crashes in between, the cleanup gives the upload up. */
async function beginParts({ objects }: StorageDeps, data: ProjectData, row: FileRow): Promise<Targets> {
  const { id, project_id, upload_object } = row
  const upload_id = await objects.parts.begin(objectKey(project_id, id, upload_object ?? ''))
  const begun = partsOf(await data.write(setUploadId({ id, upload_id })))
  return { url: null, headers: {}, parts: begun ? await signParts(objects, begun) : [] }
}

/**
 * Makes a file of the bytes that a client has sent directly to the storage: it copies them to where nobody else can
 * write, checks every byte, and emits the event. Several callers may do this at the same time; one of them makes the
 * file, and all get it.
 * @param completion what a client sends; undefined for a job, which reads files of any size
 * @returns the file; `pending` if it is so large that a job reads it
 * @throws ApiError 404; 422 UPLOAD_INCOMPLETE, UPLOAD_MISMATCH, for parts that are not those of the upload
 */
export async function completeUpload(
  deps: StorageDeps,
  data: ProjectData,
  id: string,
  completion?: Completion,
): Promise<StoredFile> {
  const { file } = await data.read({ file: getFile({ id }) })
  if (file.status === 'ready') return toFile(file, deps.config.BASE_URL)
  if (file.upload_parts !== null) return completeParts(deps, data, file, completion)
  if (completion?.parts) throw invalidField('parts', 'additionalProperties', 'is only for an upload in parts')
  const { project_id: projectId, size, name } = file
  const from = uploadKey(projectId, id)
  const came = file.upload_expires_at === null ? undefined : await deps.objects.sizeOf(from)
  if (came === undefined) throw uploadIncomplete()
  if (came !== size) throw uploadMismatch()
  const objectId = newUuid()
  const seen = await moveAndInspect(deps, from, objectKey(projectId, id, objectId), file.content_type)
  if (seen.size !== size) throw uploadMismatch()
  return keepUploaded(deps, data, file, { id, objectId, name, ...seen })
}

/** The object is where it stays: nobody can write there after its parts are put together. */
async function completeParts(
  deps: StorageDeps,
  data: ProjectData,
  file: FileRow,
  completion: Completion | undefined,
): Promise<StoredFile> {
  const { id, name, size } = file
  const begun = partsOf(file)
  if (begun === undefined) throw uploadIncomplete()
  if (completion !== undefined && completion.parts === undefined)
    throw invalidField('parts', 'required', 'is required for an upload in parts')
  await joinParts(deps.objects, begun, completion?.parts)
  // A larger file is read by a job: no client waits so long.
  if (completion !== undefined && size > uploadLimit(deps.config)) {
    await data.write(setDueNow({ id }))
    return toFile(file, deps.config.BASE_URL)
  }
  const seen = await inspect(deps, begun.key, file.content_type)
  if (seen.size !== size) throw uploadMismatch()
  return keepUploaded(deps, data, file, { id, objectId: begun.objectId, name, ...seen })
}

function keepUploaded(
  deps: StorageDeps,
  data: ProjectData,
  { id, visibility, owner_id, upload_expires_at }: FileRow,
  received: ReceivedFile,
): Promise<StoredFile> {
  return data.write(async (ctx) => {
    const as = { visibility: visibility as Visibility, ownerId: owner_id }
    const sealed = await sealReceived(ctx, deps, received, as)
    // Removes an unused copy, and the client's original.
    forgetObjects(ctx, id, upload_expires_at)
    return sealed ?? toFile(await getFile(ctx, { id }), deps.config.BASE_URL)
  })
}

/** Copies first and checks the copy, because a client can still change the original after a check. */
async function moveAndInspect(deps: StorageDeps, from: string, to: string, type: string): Promise<Inspected> {
  if (!(await deps.objects.copy(from, to))) throw uploadIncomplete()
  return inspect(deps, to, type)
}

/** Reads every byte of an object. */
async function inspect({ objects }: StorageDeps, key: string, type: string): Promise<Inspected> {
  const object = await objects.get(key)
  if (object === undefined) throw uploadIncomplete()
  const inspection = new Inspection()
  await inspection.read(object.body).catch((error) => {
    throw unreachable(error)
  })
  return inspection.result(type)
}
