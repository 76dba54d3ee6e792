import { Type } from 'typebox'
import type { JobType } from '#platform/jobs/enqueue.ts'

const Payload = Type.Object({ export_id: Type.String({ format: 'uuid' }) })

/** Removes the bytes of an export, and what was begun of them. */
export const removeExportObjects = {
  name: 'exports.remove-objects',
  lane: 'files',
  payload: Payload,
} as const satisfies JobType<typeof Payload>
