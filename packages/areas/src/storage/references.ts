import { audit } from '#platform/audit.ts'
import type { Context } from '#platform/db/tenant.ts'
import { notFound } from '#platform/errors.ts'
import { emit } from '#platform/events/emit.ts'
import { toId } from '#platform/ids.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import { removeObjects } from './cleanup/remove-objects.job.ts'
import { fileDeleted } from './events.ts'
import { isPicture } from './names.ts'
import { makePreview } from './previews/make-preview.job.ts'
import * as files from './queries.ts'

// What refers to files, and what becomes of a file that nothing refers to any more.

/** After this time from the end of its URL, no upload can still be under way. */
export const LATE_MS = 2 * 3_600_000

/** Deletes a file and its bytes. @throws ApiError 404 */
export async function deleteFile(ctx: Context, id: string): Promise<void> {
  const row = await files.removeFile(ctx, { id })
  if (row === undefined) throw notFound('File')
  forgetObjects(ctx, id, row.upload_expires_at)
  if (row.status === 'ready') emit(ctx, fileDeleted, { id: toId('file', id) })
  audit(ctx, { action: 'file.delete', target: toId('file', id) })
}

/**
 * Has all objects of a file removed but the one that it is kept in, if it is kept. While a URL still takes bytes, also
 * those that come by then.
 */
export function forgetObjects(ctx: Context, fileId: string, uploadExpiresAt: string | null): void {
  enqueue(ctx, removeObjects, { file_id: fileId })
  if (uploadExpiresAt === null) return
  const late = new Date(Date.parse(uploadExpiresAt) + LATE_MS)
  if (late.getTime() > Date.now()) enqueue(ctx, removeObjects, { file_id: fileId }, late)
}

/**
 * Says that something refers to a file, which is therefore kept. May be repeated.
 * @throws ApiError 422 where there is no such file, when the transaction ends
 */
export function attachFile(ctx: Context, fileId: string, to: files.Target): void {
  files.insertAttachment(ctx, { ...to, file_id: fileId })
  files.markKept(ctx, { id: fileId })
}

/**
 * Deletes the files that something referred to and that nothing else refers to: it is gone itself.
 * @param kept files that it still refers to
 */
export async function releaseFiles(
  ctx: Context,
  from: files.Target,
  kept: readonly string[] = [],
): Promise<void> {
  for (const { file_id, needed } of await files.removeAttachments(ctx, { ...from, kept }))
    if (!needed) await deleteFile(ctx, file_id)
}

/** Has a picture measured, and a smaller size of it made. May be repeated. */
export function requestPreview(
  ctx: Context,
  file: Pick<files.FileRow, 'id' | 'content_type' | 'width'>,
): void {
  if (isPicture(file.content_type) && file.width === null) enqueue(ctx, makePreview, { file_id: file.id })
}
