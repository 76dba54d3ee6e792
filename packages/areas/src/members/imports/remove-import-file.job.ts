import { defineJob } from '#platform/jobs/define-job.ts'
import { removeImportFile } from './job-types.ts'
import { prefixOf } from './rows.ts'

/** Removes the file of an import that is read, or was never completed. */
export const removeImportFileJob = defineJob({
  ...removeImportFile,
  // An outage of the storage may last for hours.
  attempts: 20,
  run: ({ deps, projectId }, { import_id: id }) => deps.objects.removeBelow(prefixOf(projectId, id)),
})
