import type { Readable } from 'node:stream'
import type { Config } from '#platform/config.ts'
import { pick } from '#platform/db/query.ts'
import type { Context, ProjectData } from '#platform/db/tenant.ts'
import { notFound } from '#platform/errors.ts'
import { emit } from '#platform/events/emit.ts'
import type { MultipartLimits } from '#platform/http/uploads/multipart.ts'
import { newUuid } from '#platform/ids.ts'
import type { Objects } from '#platform/storage/objects.ts'
import * as links from './content/file-links.ts'
import { quotaExceeded } from './errors.ts'
import { fileCreated } from './events.ts'
import * as names from './names.ts'
import { cleanName, dispositionOf, objectKey, typeHeader } from './names.ts'
import * as attach from './posts/attach.ts'
import * as showFiles from './posts/show-files.ts'
import * as pictures from './previews/picture-reader.ts'
import * as files from './queries.ts'
import * as references from './references.ts'
import { forgetObjects, requestPreview } from './references.ts'
import type { Purpose, StoredFile, Visibility } from './schema.ts'
import { type Inspected, Inspection } from './uploads/inspection.ts'

/** What storing files takes; the API's and the worker's dependencies both have it. */
export interface StorageDeps {
  readonly objects: Objects
  readonly config: Config
}

/** Age at which unfinished uploads are looked at. An upload takes an hour at the most. */
const BEGUN_MS = 2 * 3_600_000
/** A temporary file that nothing refers to by then is deleted. */
const TEMPORARY_MS = 24 * 3_600_000

/** A file whose bytes are stored, and of which nobody knows yet. */
export interface ReceivedFile extends Inspected {
  readonly id: string
  readonly objectId: string
  readonly name: string
}

/** How large a file may be that is uploaded now: by the installation's limit, and by what the project has left. */
export async function roomForUpload(
  data: ProjectData,
  { config }: StorageDeps,
): Promise<Pick<MultipartLimits, 'fileBytes' | 'tooLarge'>> {
  const { usage } = await data.read({ usage: files.getUsage() })
  const { bytes, quota_bytes } = usage
  const most = uploadLimit(config)
  const left = Math.max(0, quota_bytes - bytes)
  return left < most ? { fileBytes: left, tooLarge: () => quotaExceeded() } : { fileBytes: most }
}

/** Bytes of the largest file that may be uploaded. */
export const uploadLimit = (config: Config): number => config.UPLOAD_LIMIT_MIB * 1024 * 1024

/**
 * Stores the bytes of a file while they arrive. The file is not visible yet: `keepFile` makes it visible, in the same
 * transaction as the rows that refer to it, and `discardFile` removes it. If the process crashes in between, the
 * cleanup removes the bytes.
 * @param source the name and type as its sender gives them
 * @throws ApiError 503 where there is no storage; whatever `source.bytes` throws
 */
export async function receiveFile(
  { objects }: StorageDeps,
  data: ProjectData,
  source: { readonly name: string; readonly type: string; readonly bytes: AsyncIterable<Buffer> },
): Promise<ReceivedFile> {
  objects.assertSetUp()
  const id = newUuid()
  const objectId = newUuid()
  const name = cleanName(source.name)
  const pending = await data.write(
    files.insertFile({
      ...{ id, name, size: 0, content_type: 'application/octet-stream', visibility: 'private' },
      ...{ owner_id: null, upload_expires_at: null, due_at: new Date(Date.now() + BEGUN_MS) },
    }),
  )
  const inspection = new Inspection()
  try {
    await objects.put(objectKey(pending.project_id, id, objectId), inspection.through(source.bytes))
  } catch (error) {
    await data.write((ctx) => discardFile(ctx, id))
    throw error
  }
  return { id, objectId, name, ...(await inspection.result(source.type)) }
}

/** What a received file becomes. */
export interface KeptAs {
  /** In place of the name that it came with. */
  readonly name?: string
  readonly visibility: Visibility
  /** The stored id of a member. */
  readonly ownerId: string | null
  /** What a member uploads it for: deleted in a day if nothing refers to it by then. */
  readonly purpose?: Purpose | undefined
}

/**
 * Makes a received file readable, and emits its event.
 * @throws ApiError 404 where the cleanup removed it in the meantime; 422 QUOTA_EXCEEDED; for an owner that is none
 */
export async function keepFile(
  ctx: Context,
  deps: StorageDeps,
  file: ReceivedFile,
  as: KeptAs,
): Promise<StoredFile> {
  const stored = await sealReceived(ctx, deps, file, as)
  if (stored === undefined) throw notFound('File')
  return stored
}

/** The same; undefined where the file is no longer pending. */
export async function sealReceived(
  ctx: Context,
  { config }: StorageDeps,
  file: ReceivedFile,
  { name = file.name, visibility, ownerId, purpose }: KeptAs,
): Promise<StoredFile | undefined> {
  const row = await files.sealFile(ctx, {
    id: file.id,
    name,
    size: file.size,
    content_type: file.contentType,
    checksum_sha256: file.checksum,
    visibility,
    owner_id: ownerId,
    object_id: file.objectId,
    due_at: purpose === undefined ? null : new Date(Date.now() + TEMPORARY_MS),
    purpose: purpose ?? null,
  })
  if (row === undefined) return undefined
  if (purpose === 'attachment') requestPreview(ctx, row)
  const stored = files.toFile(row, config.BASE_URL)
  emit(ctx, fileCreated, stored)
  return stored
}

/** Removes a received or kept file without an event. May be repeated. */
export async function discardFile(ctx: Context, id: string): Promise<void> {
  const row = await files.removeFile(ctx, { id })
  forgetObjects(ctx, id, row?.upload_expires_at ?? null)
}

export const { findReadyFile, findReadyFiles } = files
export const { attachFile, releaseFiles } = references
/** Files of posts. */
export const { openFiles, attachFiles, changeFiles } = attach
export const { showingFiles, withFiles } = showFiles
export const { isPicture } = names
/** Reads pictures to their end. */
export const { pictureReader } = pictures
/** Links that people without a key read files by. */
export const { fileLinks, shownLinks } = links
export type FileLinks = links.FileLinks

/** Seconds that a URL reads a file for which something shows to those who may read it. */
const SHOWN_SECONDS = 3_600

/** A URL that reads a file for an hour. @throws ApiError 503 without a storage */
export const readUrlOf = ({ objects }: StorageDeps, file: files.FileRow): Promise<string> =>
  objects.signedGet(objectKey(file.project_id, file.id, file.object_id ?? ''), {
    type: typeHeader(file.content_type),
    disposition: dispositionOf(file),
    seconds: SHOWN_SECONDS,
  })

// What imports use: they read an uploaded file, and bring files whose ids are known before their bytes.

/** The bytes of a file of the project; undefined where there is none, or it is still uploaded. @throws ApiError 503 */
export async function openFile(
  { objects }: StorageDeps,
  data: ProjectData,
  id: string,
): Promise<Readable | undefined> {
  const { file } = await data.read({ file: files.findFile({ id }) })
  if (file?.status !== 'ready' || file.object_id === null) return undefined
  return (await objects.get(objectKey(file.project_id, id, file.object_id)))?.body
}

interface Expected {
  /** The stored id of its pending row. */
  readonly id: string
  readonly name: string
  readonly type: string
  readonly bytes: AsyncIterable<Buffer>
}

/** Stores the bytes of a file that has a pending row. Nobody knows of them before `sealExpected`. @throws ApiError 503 */
export async function receiveExpected(
  { objects }: StorageDeps,
  projectId: string,
  { id, name, type, bytes }: Expected,
): Promise<ReceivedFile> {
  const objectId = newUuid()
  const inspection = new Inspection()
  await objects.put(objectKey(projectId, id, objectId), inspection.through(bytes))
  return { id, objectId, name: cleanName(name), ...(await inspection.result(type)) }
}

/** Makes such a file readable, without an event: the import is announced as a whole. @throws ApiError 422 QUOTA_EXCEEDED */
export async function sealExpected(ctx: Context, file: ReceivedFile): Promise<void> {
  const pending = await files.findFile(ctx, { id: file.id })
  const row =
    pending &&
    (await files.sealFile(ctx, {
      ...pick(pending, 'id', 'name', 'visibility', 'owner_id'),
      ...{ size: file.size, content_type: file.contentType, checksum_sha256: file.checksum },
      ...{ object_id: file.objectId, due_at: null, purpose: 'attachment' },
    }))
  if (row !== undefined) requestPreview(ctx, row)
  // A run before has made it readable: these bytes are a second copy.
  if (row === undefined) forgetObjects(ctx, file.id, null)
}
