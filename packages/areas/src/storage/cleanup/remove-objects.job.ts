import { Type } from 'typebox'
import { defineJob } from '#platform/jobs/define-job.ts'
import { objectKey, prefixOf, previewObject } from '../names.ts'
import { findFile } from '../queries.ts'

/** Removes what is stored of a file that is deleted, and of one that is kept all but its object and its preview. */
export const removeObjects = defineJob({
  name: 'storage.remove-objects',
  lane: 'files',
  payload: Type.Object({ file_id: Type.String({ format: 'uuid' }) }),
  // An outage of the storage may last for hours.
  attempts: 20,
  async run({ read, deps, projectId }, { file_id: id }) {
    const { file } = await read({ file: findFile({ id }) })
    // Its bytes may be arriving right now; the request that completes or deletes the file adds this job again.
    if (file?.status === 'pending') return
    const kept = file?.object_id
      ? [file.object_id, previewObject(file.object_id)].map((object) => objectKey(projectId, id, object))
      : []
    await deps.objects.removeBelow(prefixOf(projectId, id), kept)
  },
})
