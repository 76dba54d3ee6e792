import { defineJob } from '#platform/jobs/define-job.ts'
import { objectKey, prefixOf } from '../keys.ts'
import { findFile } from '../queries.ts'
import { removeObjects } from './job-types.ts'

/** Removes what is stored of a file that is deleted, and of one that is kept all but its one object. */
export const removeObjectsJob = defineJob({
  ...removeObjects,
  // An outage of the storage may last for hours.
  attempts: 20,
  async run({ inProject, deps, projectId }, { file_id: id }) {
    const file = await inProject((ctx) => findFile(ctx, id))
    // Its bytes may be arriving right now; the request that completes or deletes the file adds this job again.
    if (file?.status === 'pending') return
    const kept = file?.object_id ? objectKey(projectId, id, file.object_id) : undefined
    await deps.objects.removeBelow(prefixOf(projectId, id), kept)
  },
})
