import { Type } from 'typebox'
import type { JobType } from '#platform/jobs/enqueue.ts'

const Payload = Type.Object({ file_id: Type.String({ format: 'uuid' }) })

/** Removes a file's objects but the one that it is kept in. */
export const removeObjects = {
  name: 'storage.remove-objects',
  lane: 'files',
  payload: Payload,
} as const satisfies JobType<typeof Payload>

/** Decides what becomes of a file that is neither kept nor deleted. */
export const settleFile = {
  name: 'storage.settle-file',
  lane: 'files',
  payload: Payload,
} as const satisfies JobType<typeof Payload>
