import { Type } from 'typebox'
import type { JobType } from '#platform/jobs/enqueue.ts'

const Payload = Type.Object({ import_id: Type.String({ format: 'uuid' }) })

/** Makes members of the rows of a file. */
export const runImport = {
  name: 'members.run-import',
  lane: 'exports',
  payload: Payload,
} as const satisfies JobType<typeof Payload>

/** Removes the file of an import. */
export const removeImportFile = {
  name: 'members.remove-import-file',
  lane: 'files',
  payload: Payload,
} as const satisfies JobType<typeof Payload>
