import { buffer } from 'node:stream/consumers'
import { Type } from 'typebox'
import { defineJob, type JobRun } from '#platform/jobs/define-job.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import { removeObjects } from '../cleanup/remove-objects.job.ts'
import { isPicture, objectKey, prefixOf, previewObject } from '../names.ts'
import { type FileRow, findFile, setPicture } from '../queries.ts'
import { MOST_BYTES, type Picture, readPicture } from './read-picture.ts'

/**
 * Measures a picture and stores its smaller size. The same bytes go to the same key each time, so that it may be repeated. A
 * file that is no picture after all, or too large, stays without.
 */
export const makePreview = defineJob({
  name: 'storage.make-preview',
  lane: 'pictures',
  payload: Type.Object({ file_id: Type.String({ format: 'uuid' }) }),
  attempts: 5,
  async run(run, { file_id: id }) {
    const { file } = await run.read({ file: findFile({ id }) })
    // A run before may have stored a preview of a file that was deleted meanwhile.
    if (file === undefined) return run.deps.objects.removeBelow(prefixOf(run.projectId, id))
    const picture = file.width === null ? await storePreview(run, file) : undefined
    if (picture === undefined) return
    const { width, height, preview } = picture
    await run.record(async (ctx) => {
      const kept = await setPicture(ctx, {
        ...{ id, width, height, preview_bytes: preview.bytes.length },
        ...{ preview_width: preview.width, preview_height: preview.height },
      })
      if (kept === undefined) enqueue(ctx, removeObjects, { file_id: id })
    })
  },
})

async function storePreview(
  { deps: { objects }, projectId, log }: JobRun,
  { id, object_id, content_type, size }: FileRow,
): Promise<Picture | undefined> {
  if (object_id === null || !isPicture(content_type) || size > MOST_BYTES) return undefined
  const object = await objects.get(objectKey(projectId, id, object_id))
  if (object === undefined) return undefined
  const picture = await readPicture(await buffer(object.body))
  if (picture === undefined) log.info({ file: id }, 'a picture cannot be read')
  else await objects.put(objectKey(projectId, id, previewObject(object_id)), chunkOf(picture.preview.bytes))
  return picture
}

async function* chunkOf(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}
