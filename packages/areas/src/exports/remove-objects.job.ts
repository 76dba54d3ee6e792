import { defineJob } from '#platform/jobs/define-job.ts'
import { removeExportObjects } from './job-types.ts'
import { findExport } from './queries.ts'
import { prefixOf } from './rows.ts'

const ENDED = new Set(['failed', 'expired'])

/** Removes what is stored of an export that failed, or is past its time, or is gone. */
export const removeExportObjectsJob = defineJob({
  ...removeExportObjects,
  // An outage of the storage may last for hours.
  attempts: 20,
  async run({ inProject, deps, projectId }, { export_id: id }) {
    const row = await inProject((ctx) => findExport(ctx, id))
    if (row !== undefined && !ENDED.has(row.status)) return
    await deps.objects.removeBelow(prefixOf(projectId, id))
  },
})
