import { Type } from 'typebox'
import { defineJob } from '#platform/jobs/define-job.ts'
import { prefixOf } from './rows.ts'

/** Removes the file of an import that is read, or was never completed. */
export const removeImportFile = defineJob({
  name: 'members.remove-import-file',
  lane: 'files',
  payload: Type.Object({ import_id: Type.String({ format: 'uuid' }) }),
  // An outage of the storage may last for hours.
  attempts: 20,
  run: ({ deps, projectId }, { import_id: id }) => deps.objects.removeBelow(prefixOf(projectId, id)),
})
