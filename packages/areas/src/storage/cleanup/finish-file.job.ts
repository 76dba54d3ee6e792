import { Type } from 'typebox'
import type { Context } from '#platform/db/tenant.ts'
import { ApiError } from '#platform/errors.ts'
import { emit } from '#platform/events/emit.ts'
import { toId } from '#platform/ids.ts'
import { defineJob } from '#platform/jobs/define-job.ts'
import { fileDeleted } from '../events.ts'
import { findUnkept, removeUnkept } from '../queries.ts'
import { forgetObjects, LATE_MS } from '../references.ts'
import { completeUpload } from '../uploads/uploads.ts'

/** An upload that has not come, or not as it was announced. */
const UNFINISHED = new Set(['UPLOAD_INCOMPLETE', 'UPLOAD_MISMATCH'])

/**
 * Decides about a file that is not kept: an upload that its client never completed is completed if its bytes have
 * arrived. A file that was never finished, or that nothing refers to, is deleted when its time is over.
 */
export const finishFile = defineJob({
  name: 'storage.finish-file',
  lane: 'files',
  payload: Type.Object({ file_id: Type.String({ format: 'uuid' }) }),
  attempts: 3,
  async run(run, { file_id: id }) {
    const { file } = await run.read({ file: findUnkept({ id }) })
    if (file === undefined) return
    if (file.status === 'pending' && file.upload_expires_at !== null) {
      try {
        await completeUpload(run.deps, run, id)
        return
      } catch (error) {
        if (!(error instanceof ApiError && UNFINISHED.has(error.code))) throw error
        // It is looked at again; see reconcile-files.schedule.ts.
        if (Date.now() < Date.parse(file.upload_expires_at) + LATE_MS) return
      }
    }
    await run.write((ctx) => sweep(ctx, id))
  },
})

async function sweep(ctx: Context, id: string): Promise<void> {
  const swept = await removeUnkept(ctx, { id })
  if (swept === undefined) return
  forgetObjects(ctx, id, swept.upload_expires_at)
  if (swept.status === 'ready') emit(ctx, fileDeleted, { id: toId('file', id) })
}
