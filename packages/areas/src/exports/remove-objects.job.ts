import { Type } from 'typebox'
import { defineJob } from '#platform/jobs/define-job.ts'
import { findExport, prefixOf } from './queries.ts'

const ENDED = new Set(['failed', 'expired'])

/** Removes what is stored of an export that failed, or is past its time, or is gone. */
export const removeExportObjects = defineJob({
  name: 'exports.remove-objects',
  lane: 'files',
  payload: Type.Object({ export_id: Type.String({ format: 'uuid' }) }),
  // An outage of the storage may last for hours.
  attempts: 20,
  async run({ read, deps, projectId }, { export_id: id }) {
    const { row } = await read({ row: findExport({ id }) })
    if (row !== undefined && !ENDED.has(row.status)) return
    await deps.objects.removeBelow(prefixOf(projectId, id))
  },
})
